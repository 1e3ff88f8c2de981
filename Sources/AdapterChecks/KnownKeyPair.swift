import Cryptography

/// RSA key pairs that everybody knows, for providers that sign with keys of their own.
///
/// Made with `openssl genpkey` for these checks, used nowhere else.
struct KnownKeyPair {
    let privatePEM: String
    let publicPEM: String

    static let first = KnownKeyPair(privatePEM: firstPrivate, publicPEM: firstPublic)
    static let second = KnownKeyPair(privatePEM: secondPrivate, publicPEM: secondPublic)

    /// RSASSA-PKCS1-v1_5 with SHA-256 under a private key in PEM; nothing where it is no key.
    static func signature(of message: [UInt8], under pem: [UInt8]) -> [UInt8] {
        let key = try? RSAPrivateKey(pem: String(decoding: pem, as: UTF8.self))
        return (try? key?.signPKCS1SHA256(message)) ?? []
    }

    private static let firstPrivate = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCjIbG3B20IVGHX
        5Er5qvLN41lX+MruE+olKWxnarYBUcbB7LJrTgptUuWdiJnfsbtmnDmaOcv8X8/0
        JNgpw1rrjRpR4z4Ctj6OsHzoP5oJVgE0YUUA2W4AI3MqF/vbPO6A87YzvpONbZx5
        Lerw09hBSb7+6HqWuEChsNap3g0r1h3vL28gyRVF8wj/j9jn5rzxFfWFYn0jN47v
        vofumlfdx7UqhRFABqp0ch2U1WVIukooMhtJd/LPsxlhIo3LLy0YdceDlmDXJT+Y
        y+VAtN+8ITXYUQWGa6o5nAqke+c/GgHmyGQOWxM5rOFhChBVk4ax3aIinz6h8DsF
        CjT5a/ZrAgMBAAECggEAHF7APuH6OtAeAgNQbLInrtnCkHOSqyvodRUKpsOeqoUT
        yWcGMnYshw27JBX9GLOasUIrHGC/0oDBNCbyNvUkC0ILWUFpZ+RU5dDYsDVbbxM3
        e2oNK5Qktr5ziVcJdHvYyLFZtw8GLzroUwTCzqYw/k26ey9oHm0lxFjyRDF7XeuD
        7y4nYn726fbyMERN1oVQoXJIxeNIaCNARtNuefEe7B8Ps9RzqHEIVxE6g+jlU3JK
        MlJCIxwC87KV4AOJcKC9G48jrOa0IkEZg8FyoCIJ7VzMkENBniLJJgY2JfYWkOvp
        k3RoqrnBoVx2dwt+RkggBu54FtoDDvAjgrLkm9nlJQKBgQDiRVTrG/T+0Pl7jBnZ
        pVCTXF6vmhe2jvwlNzlRxnOTu6kCc6dtLKw52Ri/lf/hI7bJgiDUsTCrwTMuv2HT
        e6uyA0gRsJ3paFHKo4hvAakjKJBk4ygnvsbRkS6lmNTxtbP8o6NV5h9XPAdpnAW6
        DhKvgupSNV6sa+t9WPsFlslRFQKBgQC4kKlY0qdhiN4DB6jBu2D1weMUGLrFbI/y
        dkcq0/zVmkDXxwunFniZSBWZq+BH7hUhmioEfrEim95omj3ZInyDN9pXOnlQS6Kw
        Fw6aOiJo44LB3Mg902eLLsgFb6S/AENRecU48UXYVYMPt/IOynE8AoXE5ZRaWflp
        E36kJ6cJfwKBgQCuj85zk53u+EmAhxVqU59WEGz8DGU+8hCUpYYTEIcZ8izxN0hz
        cYNtHY96Pr6pcmQSEdJCRHDIEMTry7os7bwIGYAAJcGt0E1Jh+A5w445EZJUQus3
        vnakNt1F5CJkV0oEHjpkiqSjKCyPzU6duz2vKdCcm4/udVO34G3IYgvuAQKBgQCc
        FQKR8jvJGRUfnNeTVqJt0xT1huBUWzX0xx/yUSotffC+Sj9Jg5BjmHlj5t2aFvbZ
        3uUPvhCRAx34ehA505dW5OIKCJJVXFFt92HK/cThzR1kUxEob+LN6rcPGdZKDK/h
        dEhcmnYFuHNI1Leo2H0gUcXMuJZYPmTU/r6Hll0FgwKBgHf+mxqek2STPLtU1bwb
        ayxqhx0XuUVCaQt85ckuc5TRBWKCaLIDK7eYOA/cLI8LMBtxW3dkpAPBdyaVm0wO
        t/Lfk36kwYTLQt5nj1H2GvrtT+y7GFrpPCyYjA8ZRveblG261mZ2EWlWCv0J0Vya
        +ruH1pNRwl4KU1rFKUcwR95p
        -----END PRIVATE KEY-----
        """

    private static let firstPublic = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAoyGxtwdtCFRh1+RK+ary
        zeNZV/jK7hPqJSlsZ2q2AVHGweyya04KbVLlnYiZ37G7Zpw5mjnL/F/P9CTYKcNa
        640aUeM+ArY+jrB86D+aCVYBNGFFANluACNzKhf72zzugPO2M76TjW2ceS3q8NPY
        QUm+/uh6lrhAobDWqd4NK9Yd7y9vIMkVRfMI/4/Y5+a88RX1hWJ9IzeO776H7ppX
        3ce1KoURQAaqdHIdlNVlSLpKKDIbSXfyz7MZYSKNyy8tGHXHg5Zg1yU/mMvlQLTf
        vCE12FEFhmuqOZwKpHvnPxoB5shkDlsTOazhYQoQVZOGsd2iIp8+ofA7BQo0+Wv2
        awIDAQAB
        -----END PUBLIC KEY-----
        """

    private static let secondPrivate = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDQWtqRPoPDSvQa
        NmjNU5vsPwkr9aPMjA1zIwV1T5VkHEIviPJcgN/MQpeG2ST7OSRkT4W7HjGcercO
        CfCgTuXb9RMebILapwRAPA2uFYrr0qYEvzrNSUeiHK2AsTb6YnY++IxnMtHbzRC+
        iOxPYg2swcdA1NMGPFTYxIEk2KoKf6U19KwkjZ5yIMbNENHdRx9gOYQppYU9CDVp
        KZBOZtKRJstLYXMnUw3bzSOb7J+JFunWNuMLF7Ypp2DXFRnhgCxXk4pIiiKj/LsS
        upxqX4iMD955Bv6rFnsFQEviXvrh4IGHbPYGplnZLm9Mt+i/F5fbsJGXtt0msw4W
        eLe+sTPbAgMBAAECggEAWTnHJvMYFy6GiaEqUV/QQqQeB+LKUiLZ8agaQsohhj0p
        xNSHQcD41i7gWCGumh027fQ2J1M/WK0erlboYqZW/lKd7OX4Ra3HfsCY9SeJlgLg
        EOFZy6bpk81nKdj6W9CFpeLnsZwMTe4sEQRu+nHZvFVBwIxDkISOq0O/sGlOrG6G
        Ri9ww9rkkM8OX5NJJ30m2FTxNvL9chbwiSjZvPuzIQM9jwp5vVRYeNkyVZUaTzGy
        OV6EKx83dwHkNrektHP206atnfc8sGYN4oVVyp/p7+S00mecZDuZX1HID6OyxaRt
        GbIhlV2lUIVhfyyRtLhzb2jmZX+e/nTK+7hcCKEi6QKBgQD1OPPId8cso64f3KLB
        ajO202YMwhvZiUdTFUkV0UX571KzP7gcuZuvOGBfGCP8PzvMklmHMo5/vxgWU5vA
        oJz6SR8aUOynhPuH9gYDyC4GqLfI+m1QymPM+/PAO6pAi1tf7P5uMSZ8XrjKrKFz
        Sy26pna/XyXrtEzYV8S+uiYAMwKBgQDZgxjTHdzBqwX427x/g+N3mvY25Lu7Bozv
        luTKEQHG/TtbpaoRv/gEBNUAi6bQ9Q2X8u1gNZAW4ruE8MKfXXozIbqC0MgYY3f1
        kYzT/y0g5D7swul3jSdwWlCfuUw93ynEld+aXBzeHrH9qiAXm6Llsl67sRWHcMAN
        iq4LxY21uQKBgA29WytoSqidoyv12MitgqhDv/wHBDh0EKL/FlE6oIkYd7HDaDVz
        0N1Ic13gpGOFx3v21z1T/9f4hQj7NkbcuO7tGekHj7rzIITFrCCaHroQyftgzK8y
        J9VcaJPkw+1J4ZzGUpsp9dYSGJiCg6lKFQ3YNd8THbTPLV8Ry9xD4c0xAoGBANeu
        F/qXfOQJStW2RdaHmBFsdkJ+UuykFTIqBNmdPY7sYWSCA/6vxSVvCSsOTy6aH42R
        U/H3itY2o0yyU7okvdxf0IqQrikI0NWPKv635C7eRMsOhuSF8hqFY7bNzZz4YXlO
        R7fPKMzT0RjADix6pm9vjGI+uSNhGP8UiXqgvOD5AoGBALmrsh+j7tFpubz45Jmp
        7iScqrI/tKGl7CZ5JdbmhvGQ/LyBfrTTY+vgwWZxqI0Iq7Xlte/AvLDSTBF6Ws85
        WeCPDuxZJ8fiq6sJyq5fWHtEM1BsoBFTBlHSi9s0kF/ESFz69djxLgXqU989HQf1
        KuB1raRosghJwfaSlGHXAJRO
        -----END PRIVATE KEY-----
        """

    private static let secondPublic = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0FrakT6Dw0r0GjZozVOb
        7D8JK/WjzIwNcyMFdU+VZBxCL4jyXIDfzEKXhtkk+zkkZE+Fux4xnHq3DgnwoE7l
        2/UTHmyC2qcEQDwNrhWK69KmBL86zUlHohytgLE2+mJ2PviMZzLR280QvojsT2IN
        rMHHQNTTBjxU2MSBJNiqCn+lNfSsJI2eciDGzRDR3UcfYDmEKaWFPQg1aSmQTmbS
        kSbLS2FzJ1MN280jm+yfiRbp1jbjCxe2Kadg1xUZ4YAsV5OKSIoio/y7Erqcal+I
        jA/eeQb+qxZ7BUBL4l764eCBh2z2BqZZ2S5vTLfovxeX27CRl7bdJrMOFni3vrEz
        2wIDAQAB
        -----END PUBLIC KEY-----
        """
}
