extension PrivateFields {
    /// The wire format of message `PrivateFields`, the plaintext of a sealed blob.
    public func encoded() -> [UInt8] {
        var writer = ProtobufWriter(reserving: body.count + 128)
        writer.string(1, customerEmail)
        writer.string(2, customerName)
        for key in licenseKeys { writer.string(3, key) }
        writer.data(4, body)
        for header in headers {
            writer.message(5) {
                $0.string(1, header.name)
                $0.string(2, header.value)
            }
        }
        writer.string(6, returnURL)
        writer.data(7, bodyDigest)
        for url in registeredURLs { writer.string(8, url) }
        if let expiresAt { writer.integer(9, UInt64(bitPattern: expiresAt.microseconds)) }
        return writer.bytes
    }

    /// Reads the plaintext of a sealed blob; fields of newer builds are passed over.
    public init(decoding bytes: [UInt8]) throws(PayloadError) {
        self.init()
        try bytes.withUnsafeBufferPointer { (buffer) throws(PayloadError) in
            var reader = ProtobufReader(UnsafeRawBufferPointer(buffer))
            while let field = try reader.next() {
                if case (9, .integer(let time)) = (field.number, field.value) {
                    expiresAt = Instant(microseconds: Int64(bitPattern: time))
                }
                guard case .bytes(let value) = field.value else { continue }
                switch field.number {
                case 1: customerEmail = try String(utf8: value)
                case 2: customerName = try String(utf8: value)
                case 3: licenseKeys.append(try String(utf8: value))
                case 4: body = Array(value)
                case 5: headers.append(try HeaderField(decoding: value))
                case 6: returnURL = try String(utf8: value)
                case 7: bodyDigest = Array(value)
                case 8: registeredURLs.append(try String(utf8: value))
                default: break
                }
            }
        }
    }
}

extension HeaderField {
    fileprivate init(decoding bytes: UnsafeRawBufferPointer) throws(PayloadError) {
        self.init(name: "", value: "")
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            guard case .bytes(let text) = field.value else { continue }
            switch field.number {
            case 1: name = try String(utf8: text)
            case 2: value = try String(utf8: text)
            default: break
            }
        }
    }
}
