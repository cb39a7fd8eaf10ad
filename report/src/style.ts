/** Light and dark by the reader's system or by the button; on paper always light. */
const light = `--paper:#ffffff;--card:#f5f7f9;--ink:#1c2733;--soft:#51606e;--line:#d5dce3;--rate:#0062a3;--direct:#b34800;--warn:#8a4b00;--warn-card:#fff4e5;--link:#0062a3;
--several-0:#0062a3;--several-1:#b34800;--several-2:#00785a;--several-3:#a3477d;--several-4:#8a6d00;--several-5:#3b7fb5;--several-6:#6b4fa0;--several-7:#5a6570;--several-8:#9c2f2f;--several-9:#2d6b2d;`;
const dark = `--paper:#12181f;--card:#1b232c;--ink:#e6ebf0;--soft:#a9b6c2;--line:#34404c;--rate:#5fb3f0;--direct:#ff9a4d;--warn:#ffc78a;--warn-card:#33261a;--link:#7cc0f5;
--several-0:#5fb3f0;--several-1:#ff9a4d;--several-2:#4cc9a4;--several-3:#e59ac6;--several-4:#e0c04a;--several-5:#9fd0f5;--several-6:#b7a2ea;--several-7:#b4bec8;--several-8:#f08a8a;--several-9:#8fce8f;`;

export const style: string = `
:root{color-scheme:light;${light}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${dark}}}
@media screen{:root[data-theme=dark]{color-scheme:dark;${dark}}}
[hidden]{display:none!important}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main,header,footer{max-width:76rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .4rem;overflow-wrap:anywhere}
h2{font-size:1.35rem;line-height:1.25;margin:2.6rem 0 .6rem;padding-top:.9rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.6rem 0 .4rem}
p{margin:.5rem 0;max-width:44rem}
a{color:var(--link)}
code{white-space:nowrap}
.soft,figcaption,.none{color:var(--soft)}
.name{font-weight:600;overflow-wrap:break-word}
data{font-variant-numeric:tabular-nums;white-space:nowrap}
.rate{color:var(--rate);font-weight:600}
.direct{color:var(--direct);font-weight:600}
.answers{display:grid;grid-template-columns:minmax(8rem,11rem) 1fr;gap:.2rem 1.2rem;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.25rem;margin:1.2rem 0}
.answers dt{font-weight:700;padding:.35rem 0}
.answers dd{margin:0;padding:.35rem 0}
.caution{background:var(--warn-card);border-left:4px solid var(--warn);border-radius:6px;padding:.6rem .9rem;margin:.7rem 0;max-width:none}
ul.cautions{padding-left:1.2rem;max-width:44rem}
ul.cautions li{margin:.4rem 0}
figure{margin:1rem 0;max-width:100%}
figure svg{max-width:100%;height:auto;display:block}
figcaption{font-size:.9rem;margin-top:.3rem;max-width:44rem}
.shapes{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.4rem 1.4rem}
.wide{overflow-x:auto}
.on-narrow,.swipe{display:none}
table{border-collapse:collapse;font-size:.92rem;margin:.6rem 0}
th,td{padding:.32rem .7rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:baseline}
th{background:var(--card);font-weight:600}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
caption{text-align:left;overflow-wrap:anywhere}
table:has(>caption){min-width:min(22rem,100%)}
table.ranking{min-width:min(40rem,100%)}
table.ranking .name{display:inline-block;vertical-align:top;overflow-wrap:break-word;max-width:11rem}
table.ranking th,table.ranking td{padding:.32rem .4rem;font-size:.95em}
table.ranking th{white-space:normal;vertical-align:bottom}
th button{all:unset;cursor:pointer;font-weight:600}
th button:hover{text-decoration:underline}
th button:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible,a:focus-visible,.wide:focus-visible{outline:2px solid var(--link);outline-offset:2px}
th[aria-sort=ascending] button::after{content:" \\25B2"}
th[aria-sort=descending] button::after{content:" \\25BC"}
.bar{display:inline-block;height:.6em;background:var(--rate);border-radius:2px;margin-right:.4em}
.bar.direct{background:var(--direct)}
.tools{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:center;margin:.6rem 0}
input[type=search]{font:inherit;padding:.3rem .6rem;border:1px solid var(--soft);border-radius:6px;background:var(--paper);color:var(--ink);min-width:14rem}
button.plain{font:inherit;font-size:.8rem;padding:.1rem .5rem;border:1px solid var(--line);border-radius:6px;background:var(--paper);color:var(--ink);cursor:pointer}
pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.7rem .9rem;overflow-x:auto;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
dl.record{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;font-size:.92rem}
dl.record dt{color:var(--soft)}
dl.record dd{margin:0;overflow-wrap:anywhere}
details{margin:.8rem 0}
summary{cursor:pointer}
footer{padding-bottom:3rem;color:var(--soft);font-size:.9rem}
@media screen and (max-width:40rem){.answers{grid-template-columns:1fr}.answers dd{padding-top:0}.answers dt{padding-bottom:0}h1{font-size:1.5rem}th,td{padding:.3rem .45rem}main,header,footer{padding-left:.9rem;padding-right:.9rem}.answers{padding:.8rem .9rem}.on-wide{display:none}.on-narrow{display:block}.scrolled{overflow-x:auto}.scrolled svg{max-width:none}.swipe{display:block}.shapes{grid-template-columns:1fr}table.ranking .bar{display:none}table.ranking .name{max-width:9rem}table.ranking th:nth-child(2),table.ranking td:nth-child(2){position:sticky;left:0;z-index:1;box-shadow:1px 0 0 var(--line)}table.ranking td:nth-child(2){background:var(--paper);background-clip:padding-box}input[type=search]{min-width:0;width:100%}dl.record{grid-template-columns:1fr}dl.record dd{margin-bottom:.4rem}}
@media print{body{font-size:10.5pt}main,header,footer{max-width:none;padding:0}.tools,figure button{display:none}h2{break-after:avoid}figure,.answers,.caution,tr{break-inside:avoid}thead{display:table-header-group}table.ranking tr[hidden]{display:table-row!important}details::details-content{content-visibility:visible;display:block;height:auto}.wide{overflow:visible}table.ranking{font-size:7.5pt}table.ranking .bar{display:none}table.ranking .name{overflow-wrap:anywhere}table.ranking td,table.ranking th{padding:.15rem .3rem;white-space:normal}}
`;
