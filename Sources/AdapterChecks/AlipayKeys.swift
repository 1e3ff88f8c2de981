/// Key pairs that everybody knows: made with `openssl genpkey` for tests, used nowhere else.
enum AlipayKeys {
    /// What Alipay of the checks signs with.
    static let alipayPrivatePEM = """
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

    /// Its public half, which a shop is given.
    static let alipayPublicPEM = """
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

    /// What it signs with later, while keys are rotated.
    static let laterPrivatePEM = """
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

    /// Its public half.
    static let laterPublicPEM = """
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

    /// The pretend shop's own key, which signs requests.
    static let shopPrivatePEM = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCmYUqdrGO7CoNg
        R7n2WlXO2pud4o8d3jJtGo8KD1IGpNNgKTDWHu7nJdtfjYgqwyaUbaLRuzcZ7vmB
        cVUQGSYI2Zwo4ObQUUcx9MIzyWunFz3OT3RifAazZ2ssTPfOEo3nnjOX3mkCAu5l
        DcfmmpzVFB/TmCr1cV1m6B7yH1kDIbQqbXRK4k6mi0brTYq8QFFVGt54RZmuXyEz
        DY/oqcHB/TKpudNXyRWUnwiyVXkiyy87z665DfYgAcelJHyp8K19rwmgLvOSXWyL
        C0vzDtcgBe/Vq7DKm4QjF6yifOFIYiIZ6HQoB0kacjcfdaD0tH7oN3tW6DfV9RDC
        624SUpzxAgMBAAECggEAGIgZ11u2rLplGooY2kEBi+lhrorcLTw41StoUcRmhMJC
        xFfucnPHJ9/GE7WrkRqLErGDo0bmXfWFZleOgjwjBoUHaGOYxLhnNe9vvvEA5Xcg
        zs2aTHcbCdLC05pZo1HLCI6j7s2FUB2chtvcUJ0VaLl549n4442ehvDMt0h1+Gb/
        fsv0Yrf7I+nuuRQpItxy/CTIApTY7sg/Akbf+xT0AimXzJcHYAWXmQf7cC8GJXa7
        ww2hRGQoT6SPgHNU62CSSjPWmWFZ3/sNbVA+huifg9J0zLN5z/vtnlQIAt8W2WDT
        xo9gounTRab6dwv2dJNCmU+iSKhNCBVBZs/Yj3h5kQKBgQDoWjpDOjd51aycfEzG
        r8R5lSGK6elbq5pojxt/CZbTDNEGEmJjSDqXhh9sOVre9b8KSfu7i0PNGLynjqH8
        c0UtQZQ4oRbfXwXZq7pUPrtVDc84Q8mgiJ1bMp4U6pTEK/KM/7WKrHyHzfVTIsUa
        k4g2p85U6I7J+aYHrQdgR5IqrQKBgQC3UDOH/yVWeXfUjo8bIUqmUzomdKqDzXyW
        PSgT8hj4bXDKpHXF3qARNSmhLxQGz18/C7N2FErX/gA9fqGDnMKciPvFptkLts0j
        U/JCkattLtptGCr1RqLL+CQDCxdpKNfT2oGQYStgRPvXS91/FG5MNdxFqIndwYsb
        vBLbV1/n1QKBgBOuKMcu9Cn2pkMu6BXgJ2Ug85FflKt2EoMOtAaDmmnP6Rh5kCnW
        oVfaPWkeRosiB4doktDkz95cXQZYN3I5lT9rEZHmWxiaZNV2DTc7hQSEQewDGd3m
        FGX4GJmu8ODY1BeLRSY0y+t4z3G2PTmuC1iNyBU7CXUkFyMJTdmi1keVAoGAVy1W
        BGQLnq9PlI9jcTSI6saDzgwHl3zethhJegrVYzewvz4tIDe6idRtgtD/xilSk4n+
        A7aszUFnXddd+lhPmN/wVFP/vnll31opyQy7qMXybJVkwJaiDzxn6+aXcJRS59Zv
        bXk4hqTn28ChirDtr2Kh6aK4RfSoMj1j/ln0Ky0CgYEAvQOLrcdGTmbj0yXLMzk3
        iIawE6gzkhxsIL+tb2ZQdOFfjs3N4AUAgKM+jpLAlu93HfkHfjNkpMocGs13QnvC
        h0hfiCzbTZA5U3UVHxzSEewf2cxjhSL76YJYsBfB4pgPiPARRqAt5SyRnWPBa/jZ
        vC/SZs+cLJJyQkJi/87ElXU=
        -----END PRIVATE KEY-----
        """
}
