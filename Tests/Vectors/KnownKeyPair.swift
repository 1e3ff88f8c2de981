/// RSA key pairs of 2,048 bits that everybody knows, for providers that sign with their own keys.
///
/// Made with `openssl genpkey` for checks and tests, used nowhere else; the one place for them.
package struct KnownKeyPair: Sendable {
    /// The private key in PEM (PKCS #8).
    package let privatePEM: String
    /// Its public half in PEM (SPKI).
    package let publicPEM: String

    /// The pair that signs.
    package static let first = KnownKeyPair(privatePEM: firstPrivate, publicPEM: firstPublic)
    /// The pair of somebody else, or the one that comes after rotating.
    package static let second = KnownKeyPair(privatePEM: secondPrivate, publicPEM: secondPublic)

    private static let firstPrivate = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDNeoGYyY/VQ4AA
        OPNrcqIWfoGyYmnKeVywEASR5/EW6kHG/Xc6iiLV9b+B+2AiPtywE/VUc1RIYCHm
        ICZKGjz1c1yINQlikx9pb/jxafQaX5QptsAnwEeOD8IMOKFOJszSZUK7SemrgZiP
        cnTSkn0vtX2FY99khvKb/bt4m3M+DnlZIVFoAyXlt3RMkT+KBJQrcgfidZkG+2hO
        oX8TGa979A+KeUD1Fd/+jlTf2mSC09H2mJmefLhBxdT1RgeUQSxqs2Cyp13TNcKO
        nQV1FpImqjFN+RHo4QyS8Sx5hs3v0BKTUODpDFnhan2OSd8bCExFJDDUFYFtgMt9
        UEqmTxSRAgMBAAECggEAAVGCaF0Ot7MVrKqw4SUcpiFMqrzX6e0qa5TGurruwJNj
        NaglrjH5tD696lMXFFEr8FNIdTDCPy6iuQvGwx30+yww0Uzp0QCZqH8H7WCdKNgp
        JrVd+UNSEjbGq3Znjo1QLh9pNLNuNOQBexYkar923yn+cq8n3UjCYL7Zh5YTwLer
        GoSBY/x5+i8IvFLO39o0V0Inf5dmPoIfMFCHD6MxyWxdZ1hUoZCcjYYZSGeG1VLK
        Ih9JX6h3SFBgazbJXoEj4ykn9PuOqvcIAFDKqOKSFEXwN5MM0iyG4tWPfTKDk67f
        84YmK4oGS9IbDNJItqau82blSMmToOmm/z365bLdawKBgQD5hyRdTpA3ivT3CUrF
        78HCfDbaRiNY6yUDA14cmzUmHtuagb5jI/RUMlbbRFYev6/aGphlrOjyqTVczzKN
        fwytASJU35UKeOfRO3ew+99LL9gydURW4I7g+Kt24zjLVRt5d8NTW1aLpjliumYk
        2KSzeWFmG20SqmN2hu+Fc+voMwKBgQDSzuCzRHNB94S+y56hYZg82xFRr0Gbygkc
        Rt60QFYfqlIYEIBvsBuw2iB1WA5TP0K9KfnQImD5LGfXrMzOOWxEyNEz67ghuNn8
        rkmRjNyWgeuSKwkc6atSpnsWOq26pWOLxpB6kPCnqqlr16SyFHzMy9q53i8HRdXa
        WooVcxCcKwKBgH6Y5Ag67cxgQbx8CGW4KJPltWa0owZf9t06fisBS8vVaBFRtihS
        e4mkKJECcLcVBcEgMSWUvnMvChXWQY2sYd/8bVCmRtWTVfm/tBAlGbrpwUSIXm29
        bIATadrdmVkACvprmrvV4WjkosTGUUBscdNkx9eoHoST0fa2qxsIHy4lAoGBAKqG
        uvGIz4tvRCxq3llBbzrbIvlmwbXaCuCa25AH8yMOTfY1cw/l76Bx8ou5vWzN4ZjP
        mcsp5DPsHdwzZkDz5ocFw2UyqvJsa7mg6tYYkmAVnI/SzD5dLz9eeHcU5G/1Vb89
        0qWzFVksDny0Jf//3qxzwu1Ts8s4TLOjRcvwFmGdAoGACB/TFP9WuqYwZmtavGk7
        40oGzNPqBA6tFqF/U+BjOMQeg77dEPYxtBd8UQXxZRLpEVg1iGLmwGX/BbwEbFL5
        x0QgZMMYPv93DjfsmPH2qwo/WxiRjqQuhlSE2J60u1CC+9ST+ab6N4rMLLsjDedm
        3gsXXVApO3O/+Y/H83hP0RA=
        -----END PRIVATE KEY-----
        """

    private static let firstPublic = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAzXqBmMmP1UOAADjza3Ki
        Fn6BsmJpynlcsBAEkefxFupBxv13Oooi1fW/gftgIj7csBP1VHNUSGAh5iAmSho8
        9XNciDUJYpMfaW/48Wn0Gl+UKbbAJ8BHjg/CDDihTibM0mVCu0npq4GYj3J00pJ9
        L7V9hWPfZIbym/27eJtzPg55WSFRaAMl5bd0TJE/igSUK3IH4nWZBvtoTqF/Exmv
        e/QPinlA9RXf/o5U39pkgtPR9piZnny4QcXU9UYHlEEsarNgsqdd0zXCjp0FdRaS
        JqoxTfkR6OEMkvEseYbN79ASk1Dg6QxZ4Wp9jknfGwhMRSQw1BWBbYDLfVBKpk8U
        kQIDAQAB
        -----END PUBLIC KEY-----
        """

    private static let secondPrivate = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDNi04f3addmUS/
        MJgzpKsLV6eX5OZdnwokL2OSP3gAaLsfFx8LExZoaM4bNTAX46np3XbUGSJ/Qf24
        m9u9Tkh0peOXp9+YsbgSMZfcRU2zOGSBRM2Ozr9Hi4rqDSV6kZspH7mhHtK883Ub
        fWJYHBRKDSPLs5XFU8IOcZECLM6k9W0YJ9CnKhATh4UaAoFN8MB4ERUGz5o8jrju
        X6KTcRxgRtkJ7Bh4xytJrj7JUSGtKkx7HriLi3EMSER8jfsLWgJLKV0QKyqnTQ0a
        X0MwfNCnJj4CXGOViiD+wcfHaJE0MyEjohs7mjgpu2udI0PXPiwQA31txagV7rYq
        uLCGdu1jAgMBAAECggEABkvPm1NHVqsku3SKHP7czG6lcBYvZkvCXERlWOv/yYdr
        v/KN3WF6zLz1H0k8TWcIY+UISEvyzhIf6wE/NGfK+WPBenpGc59yA4CoZbNrw2Ml
        VP5eC5NSsabZHP1FGiGOrq5Nmd1fWDFe83YeRpOpnXEUmR9Jpa9AoP+ikP39YHkk
        AXH0eNLQEJZClUzfrWZFE+kKwxrHpZS3AQQQWLz8/kwHpWCl48kFSQzNRFm0heE2
        a3jvmbBIz9fmV0PkN5vm9RHJ2KrfFS/hhwXMmww/ScauBaKv5fKY29VHCrPNP6Tz
        1jIZXt7SSeOGWzl+KRERplI6/qaJwle4uF+nbvT2oQKBgQD5i3je4rT/t9/trOwi
        hlgqP55GTWbUWMy+5vjH3aZim2D+93fZYU32Eq+2y/OKDD5wAvs2Ml6bNn6flmbG
        nyr+a1t6aq90iKx7s3jEF7aeklAhaxSvU04ourZCMR+Tk1CfUvbubDyn8SjbvhuC
        7PvImY2KaugM/4eRHQEAvJK/YQKBgQDS3HQKN1FvkNqDx7J1suFnlpuoALBH2iXA
        bGPwWa2vVvia1UUX0tB8zy4vFm1bfcJQjeZKGGikmGw1/2/EVLRUqbQi/J3a90qX
        R75PjPcfA4+uf9pp5XZ2lcTkBP5142zvNbzkYawYtM1yIHfcIiX8wgheJQmMcA2d
        zfkAn5E3QwKBgHvSh/RYm6UzkOp3Xmg3LzIvhRKvP3Hoahfjtdg+lFvja3q4QoDb
        tnp+hS/3/W0nbCfaYtpenfD4VlZLo820lvnNPYP9wffaBXQP9sGeXqBKS3Z5krb4
        aBTvqJYpl9h7RYr4+MwPav2OPU7kAvSxMLI19zSSnXgtpxALSz8ZUtuhAoGAJF3f
        KY/m3K4H8eh0L/Z9B6ejCvOrc4j9L9XB2scsvGvsjo+vze8PBCebWIWusLPc2pXO
        nQLesVyUdS+r8BmHzH5EUjBtbUFvPO4jtYajbFbp5fepDNCFgOhNv+HYnS5vMEZ9
        YIoz60Lrl/5fjbjaAmDYnpwWrID66DeI9YGPww8CgYEAopFqvLXKDLeEf/Pql+PA
        CfOksDSzhplvCJwyI1VJQsBofd4Bi0k7742mx/ETx4vpmpNOTpnVWBKVql7IQuvE
        O8Nin+Ukj6K7jdrIl0kPQzsTMz3wcwvMcGimSRVE7zjhyszS/oB8d5+O00rR+kBi
        Lhk97EzscDhK13XQf6FCD1o=
        -----END PRIVATE KEY-----
        """

    private static let secondPublic = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAzYtOH92nXZlEvzCYM6Sr
        C1enl+TmXZ8KJC9jkj94AGi7HxcfCxMWaGjOGzUwF+Op6d121Bkif0H9uJvbvU5I
        dKXjl6ffmLG4EjGX3EVNszhkgUTNjs6/R4uK6g0lepGbKR+5oR7SvPN1G31iWBwU
        Sg0jy7OVxVPCDnGRAizOpPVtGCfQpyoQE4eFGgKBTfDAeBEVBs+aPI647l+ik3Ec
        YEbZCewYeMcrSa4+yVEhrSpMex64i4txDEhEfI37C1oCSyldECsqp00NGl9DMHzQ
        pyY+AlxjlYog/sHHx2iRNDMhI6IbO5o4KbtrnSND1z4sEAN9bcWoFe62Kriwhnbt
        YwIDAQAB
        -----END PUBLIC KEY-----
        """
}
