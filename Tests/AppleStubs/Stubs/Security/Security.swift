// Stand-ins that compute, over libcrypto: Apple documents what they mean.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

import CCrypto
public import Foundation

public typealias CFData = NSData
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public final class CFError {}

// Written once, when they are made.
nonisolated(unsafe) public let kSecAttrKeyType: CFString = "type"
nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42"
nonisolated(unsafe) public let kSecAttrKeyClass: CFString = "kcls"
nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0"
nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1"

public final class SecKey {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }
}

public final class SecCertificate {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { X509_free(pointer) }
}

public struct SecKeyAlgorithm: Sendable {
    public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm()
}

private func bytes(_ data: CFData) -> [UInt8] { [UInt8](Data(referencing: data)) }

public func SecKeyCreateWithData(
    _ data: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    guard (attributes[kSecAttrKeyType] as? NSString) == kSecAttrKeyTypeRSA else { return nil }
    let isPrivate = (attributes[kSecAttrKeyClass] as? NSString) == kSecAttrKeyClassPrivate
    let der = bytes(data)
    return der.withUnsafeBufferPointer { der in
        var next = der.baseAddress
        let key =
            isPrivate
            ? d2i_PrivateKey(EVP_PKEY_RSA, nil, &next, der.count)
            : d2i_PublicKey(EVP_PKEY_RSA, nil, &next, der.count)
        ERR_clear_error()
        return key.map { SecKey($0) }
    }
}

public func SecKeyGetBlockSize(_ key: SecKey) -> Int { Int(EVP_PKEY_get_size(key.pointer)) }

public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ message: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    let context = EVP_MD_CTX_new()
    defer {
        EVP_MD_CTX_free(context)
        ERR_clear_error()
    }
    let (message, signature) = (bytes(message), bytes(signature))
    return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.pointer) == 1
        && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
}

public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ message: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    let context = EVP_MD_CTX_new()
    defer {
        EVP_MD_CTX_free(context)
        ERR_clear_error()
    }
    let message = bytes(message)
    var signature = [UInt8](repeating: 0, count: SecKeyGetBlockSize(key))
    var count = signature.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1,
        EVP_DigestSign(context, &signature, &count, message, message.count) == 1
    else { return nil }
    return NSData(bytes: signature, length: count)
}

public func SecCertificateCreateWithData(_ allocator: AnyObject?, _ data: CFData) -> SecCertificate?
{
    let der = bytes(data)
    return der.withUnsafeBufferPointer { der in
        var next = der.baseAddress
        defer { ERR_clear_error() }
        return d2i_X509(nil, &next, der.count).map { SecCertificate($0) }
    }
}

public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    X509_get_pubkey(certificate.pointer).map { SecKey($0) }
}

// Darwin's, which Glibc lacks.

@discardableResult
public func memset_s(
    _ bytes: UnsafeMutableRawPointer, _ room: Int, _ value: Int32, _ count: Int
) -> Int32 {
    bytes.initializeMemory(as: UInt8.self, repeating: UInt8(value), count: count)
    return 0
}

public func timingsafe_bcmp(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int
) -> Int32 {
    CRYPTO_memcmp(left, right, count)
}
