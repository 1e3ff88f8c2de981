/// A return URL in which the provider writes the session's id.
public enum ReturnTemplate {
    /// The URL with `name=template` at the end of its query, before a fragment; unchanged when it
    /// carries the template already.
    ///
    /// The template is not escaped: the provider looks for it as it stands.
    public static func adding(_ template: String, as name: String, to url: String) -> String {
        guard !url.contains(template) else { return url }
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let mark = parts[0].contains("?") ? "&" : "?"
        let fragment = parts.count > 1 ? "#\(parts[1])" : ""
        return "\(parts[0])\(mark)\(name)=\(template)\(fragment)"
    }
}
