import Cryptography
import Markup

/// The one style sheet of all pages, inline, and the hash by which a policy allows it.
package enum StyleSheet {
    /// `'sha256-…'`, to stand in `style-src` of the Content-Security-Policy.
    package static let policySource =
        "'sha256-" + Base64.encode(SHA256.hash(Array(sheet.text.utf8)).bytes) + "'"

    /// Colours by Okabe and Ito, which colour-blind readers can tell apart, darkened or lightened
    /// to stand out from either ground; every coloured thing has a word or a shape too.
    static let sheet: Markup = """
        :root{color-scheme:light dark;--bg:#fbfbf9;--card:#fff;--ink:#1b1d1f;--dim:#646b72;\
        --line:#dedfdc;--soft:#f1f1ee;--link:#0b5cad;--good:#00795a;--bad:#b94a00;--warn:#8a5d00;\
        --c-succeeded:#009e73;--c-failed:#d55e00;--c-cancelled:#a05a86;--c-expired:#80868b;\
        --c-pending:#e69f00;--c-none:#3d8fc4;--on:#fff}
        @media (prefers-color-scheme:dark){:root{--bg:#14171a;--card:#1b1f23;--ink:#e5e7e8;\
        --dim:#98a1a8;--line:#31373d;--soft:#22272c;--link:#79b8f2;--good:#3fcf9f;--bad:#ff9152;\
        --warn:#f0bd4e;--c-succeeded:#1fb68a;--c-failed:#e8712a;--c-cancelled:#cc79a7;\
        --c-expired:#8d959c;--c-pending:#e6a91f;--c-none:#56b4e9;--on:#101214}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--bg);color:var(--ink);font:14px/1.5 system-ui,-apple-system,\
        "Segoe UI",Roboto,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums}
        a{color:var(--link);text-decoration:none}
        a:hover{text-decoration:underline}
        :focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
        .skip{position:absolute;left:-999px}
        .skip:focus{left:8px;top:8px;background:var(--card);padding:6px 10px;z-index:9}
        header{background:var(--card);border-bottom:1px solid var(--line)}
        .bar{max-width:1240px;margin:0 auto;padding:10px 20px 0;display:flex;gap:8px 16px;\
        align-items:center;flex-wrap:wrap}
        .brand{font-weight:650;color:var(--ink);letter-spacing:-.01em;font-size:15px}
        .brand:hover{text-decoration:none}
        .brand svg{vertical-align:-3px;margin-right:7px}
        .jump{margin-left:auto;display:flex;gap:6px}
        nav{max-width:1240px;margin:0 auto;padding:4px 12px 0;display:flex;overflow-x:auto;\
        scrollbar-width:none}
        nav a{padding:7px 8px 8px;white-space:nowrap;color:var(--dim);\
        border-bottom:2px solid transparent}
        nav a:hover{color:var(--ink);text-decoration:none}
        nav a[aria-current]{color:var(--ink);border-bottom-color:var(--link);font-weight:550}
        main{max-width:1240px;margin:0 auto;padding:20px}
        footer{max-width:1240px;margin:16px auto 0;padding:14px 20px 36px;color:var(--dim);\
        border-top:1px solid var(--line);font-size:13px}
        footer p{margin:6px 0}
        h1{font-size:22px;line-height:1.25;margin:0 0 4px;font-weight:620;letter-spacing:-.015em;\
        overflow-wrap:anywhere}
        h1 .id{font-size:19px;letter-spacing:0}
        h2{font-size:15px;margin:28px 0 8px;font-weight:600;letter-spacing:-.005em}
        p{margin:6px 0}
        .answer{font-size:16px;margin:2px 0 14px;display:flex;gap:4px 10px;flex-wrap:wrap;\
        align-items:baseline}
        .answer .s{font-size:18px}
        .lead{color:var(--dim);margin:0 0 16px;max-width:76ch}
        .dim{color:var(--dim)}
        .num{text-align:right;white-space:nowrap}
        .nowrap{white-space:nowrap}
        code,.id,pre,kbd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\
        "DejaVu Sans Mono",monospace;font-size:12.5px}
        .id{overflow-wrap:anywhere}
        pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;\
        padding:10px 12px;overflow-x:auto;margin:8px 0;line-height:1.45}
        .cmd{display:flex;align-items:center;gap:8px;min-width:0}
        .cmd code{background:var(--soft);border:1px solid var(--line);border-radius:5px;\
        padding:3px 8px;color:var(--ink);overflow-wrap:anywhere;min-width:0}
        .card{background:var(--card);border:1px solid var(--line);border-radius:8px;\
        padding:14px 16px;margin:12px 0}
        .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:10px;\
        margin:14px 0}
        .tile{background:var(--card);border:1px solid var(--line);border-left:4px solid \
        var(--t,var(--line));border-radius:6px;padding:9px 12px;color:var(--ink);display:block}
        a.tile:hover{text-decoration:none;border-color:var(--t,var(--dim))}
        .tile b{display:block;font-size:23px;line-height:1.2;font-weight:600;letter-spacing:-.02em}
        .tile .what{font-size:13px}
        .tile .sub{color:var(--dim);font-size:12.5px;display:block}
        .t-succeeded,.t-good{--t:var(--c-succeeded)}.t-failed,.t-bad{--t:var(--c-failed)}
        .t-cancelled{--t:var(--c-cancelled)}.t-expired{--t:var(--c-expired)}
        .t-pending,.t-warn{--t:var(--c-pending)}.t-none{--t:var(--c-none)}
        .s{display:inline-flex;align-items:baseline;gap:5px;white-space:nowrap;font-weight:550}
        .s::before{content:"";flex:none;width:9px;height:9px;background:var(--t);\
        align-self:center;border-radius:50%}
        .s-failed::before{border-radius:0;transform:rotate(45deg) scale(.86)}
        .s-cancelled::before{border-radius:1px}
        .s-expired::before{border-radius:1px;height:3px}
        .s-pending::before,.s-none::before,.hint::before{background:transparent;\
        border:2px solid var(--t)}
        .hint{font-weight:400}
        .good{color:var(--good)}.bad{color:var(--bad)}.caution{color:var(--warn)}
        .strong{font-weight:600}
        .chip{display:inline-block;border:1px solid var(--line);border-radius:99px;\
        padding:0 8px;font-size:12px;line-height:19px;white-space:nowrap;color:var(--dim);\
        background:var(--card)}
        a.chip:hover{border-color:var(--dim);text-decoration:none}
        .chip.on{color:var(--ink);border-color:var(--ink)}
        .chip.bad{color:var(--bad);border-color:currentColor}
        .chip.caution{color:var(--warn);border-color:currentColor}
        .chip.good{color:var(--good);border-color:currentColor}
        .chips{display:flex;flex-wrap:wrap;gap:6px;margin:8px 0}
        .scroll{overflow-x:auto;max-width:100%}
        .box{background:var(--card);border:1px solid var(--line);border-radius:8px;\
        overflow-x:auto;max-width:100%}
        table{border-collapse:collapse;width:100%}
        caption{text-align:left;color:var(--dim);padding:8px 12px 0}
        th,td{text-align:left;padding:6px 12px;border-bottom:1px solid var(--line);\
        vertical-align:top}
        th{font-weight:550;color:var(--dim);font-size:12px;white-space:nowrap}
        th.num,td.num{text-align:right}
        tbody tr:last-child>*{border-bottom:0}
        tbody tr:hover{background:var(--soft)}
        tr:target{background:var(--soft);box-shadow:inset 3px 0 var(--link)}
        .names{display:grid;grid-template-columns:minmax(110px,max-content) minmax(0,1fr);\
        gap:3px 18px;margin:0}
        .names dt{color:var(--dim)}
        .names dd{margin:0;overflow-wrap:anywhere}
        .pair{display:grid;grid-template-columns:minmax(0,1.7fr) minmax(260px,1fr);gap:16px;\
        align-items:start;margin:12px 0}
        .plot{padding:14px 16px;margin:12px 0}
        .plot svg{display:block}
        .plot .scroll{background:\
        linear-gradient(to right,var(--card) 60%,transparent) 0 0/32px 100%,\
        linear-gradient(to left,var(--card) 60%,transparent) 100% 0/32px 100%,\
        linear-gradient(to right,var(--line),transparent) 0 0/12px 100%,\
        linear-gradient(to left,var(--line),transparent) 100% 0/12px 100%;\
        background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}
        .plot figcaption{font-weight:600;margin:0 0 2px}
        figure{margin:0}
        figure .dim{font-size:13px}
        svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;\
        fill:var(--dim)}
        svg .name,svg .value{fill:var(--ink)}
        svg .on{fill:var(--on);font-weight:600}
        svg .axis{stroke:var(--line);stroke-width:1}
        svg .grid{stroke:var(--line);stroke-width:1;stroke-dasharray:2 4}
        svg .f-succeeded{fill:var(--c-succeeded)}svg .f-failed{fill:var(--c-failed)}
        svg .f-cancelled{fill:var(--c-cancelled)}svg .f-expired{fill:var(--c-expired)}
        svg .f-pending{fill:var(--c-pending)}svg .f-none{fill:var(--c-none)}
        svg .l-succeeded{stroke:var(--c-succeeded)}svg .l-failed{stroke:var(--c-failed)}
        svg .l-cancelled{stroke:var(--c-cancelled)}svg .l-expired{stroke:var(--c-expired)}
        svg .l-pending{stroke:var(--c-pending)}svg .l-none{stroke:var(--c-none)}
        svg .line{fill:none;stroke-width:2}
        svg .open{fill:var(--card);stroke-width:2}
        svg .unsure{fill:var(--card);stroke-width:1.5;stroke-dasharray:4 3}
        svg a:hover rect,svg a:hover circle{opacity:.8}
        svg .t-name{fill:var(--ink)}
        form{margin:0}
        input,select,button{font:inherit;font-size:13px;color:var(--ink);background:var(--card);\
        border:1px solid var(--line);border-radius:6px;padding:4px 8px;min-height:30px;\
        max-width:100%}
        input::placeholder{color:var(--dim);opacity:1}
        button{cursor:pointer}
        button:hover{border-color:var(--dim)}
        button.act{background:var(--ink);color:var(--bg);border-color:var(--ink)}
        button.small{min-height:0;padding:0 7px;font-size:12px;line-height:19px;color:var(--dim)}
        .jump input{width:250px}
        .filters{display:flex;flex-wrap:wrap;gap:8px 10px;align-items:end;margin:12px 0}
        .filters label{display:grid;gap:2px;font-size:12px;color:var(--dim)}
        .filters input{width:120px}
        .more{display:flex;gap:12px;align-items:center;margin:12px 0}
        .note{border-left:3px solid var(--c-pending);padding:6px 12px;background:var(--soft);\
        border-radius:0 6px 6px 0;margin:12px 0;max-width:90ch}
        .note.bad{border-color:var(--c-failed);color:inherit}
        .note.good{border-color:var(--c-succeeded);color:inherit}
        details>summary{cursor:pointer;color:var(--link)}
        details[open]>summary{margin-bottom:6px}
        .live{display:inline-flex;gap:6px;align-items:center}
        .live::before{content:"";width:7px;height:7px;border-radius:50%;background:var(--c-expired)}
        .live.on::before{background:var(--c-succeeded)}
        [hidden]{display:none!important}
        .pair>*{margin-top:0;margin-bottom:0}
        .pair .tiles{grid-template-columns:1fr 1fr;margin:0}
        .cut td .id{display:inline-block;max-width:20ch;overflow:hidden;text-overflow:ellipsis;\
        white-space:nowrap;vertical-align:bottom}
        .s-none{font-weight:400}
        .key{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12.5px;margin:2px 0 8px}
        .key .s{font-weight:400}
        @media (max-width:900px){.pair{grid-template-columns:minmax(0,1fr)}}
        @media (max-width:640px){
        main{padding:14px 12px}.bar{padding:10px 12px 0}nav{padding:4px 4px 0}
        footer{padding:14px 12px 32px}.jump{margin-left:0;width:100%}.jump input{flex:1;width:auto}
        .tiles{grid-template-columns:repeat(2,minmax(0,1fr))}
        .card,.plot{padding:12px}
        .fold thead{position:absolute;left:-9999px}
        .fold table,.fold tbody,.fold tr,.fold td{display:block;width:100%}
        .fold tr{padding:8px 0;border-bottom:1px solid var(--line)}
        .fold tbody tr:last-child{border-bottom:0}
        .fold td{border:0;padding:2px 12px;display:grid;grid-template-columns:96px minmax(0,1fr);\
        gap:10px;text-align:left!important;white-space:normal;overflow-wrap:anywhere}
        .fold td::before{content:attr(data-label);color:var(--dim);font-size:12px}
        .fold td:empty{display:none}
        .cut td .id{max-width:none;white-space:normal;overflow-wrap:anywhere}
        .names{grid-template-columns:minmax(84px,32%) minmax(0,1fr);gap:4px 12px}
        .filters label{flex:1 1 42%}.filters input,.filters select{width:100%}}
        @media print{
        :root{--bg:#fff;--card:#fff;--ink:#000;--dim:#444;--line:#bbb;--soft:#fff;--link:#000}
        header nav,.jump,.filters,.more,button,.cmd button,.skip,.live,form{display:none!important}
        body{font-size:11px}main,footer{padding:0;max-width:none}
        .card,.box,.plot{border-color:#bbb;break-inside:avoid;overflow:visible}
        .box{break-inside:auto}tr,.tile{break-inside:avoid}
        thead{display:table-header-group}
        .scroll{overflow:visible}.plot svg{max-width:100%;height:auto}
        *{-webkit-print-color-adjust:exact;print-color-adjust:exact}
        details:not([open])>*{display:block}}
        """
}
