/** Style of the /docs page. */
export const pageStyle = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --soft: color-mix(in srgb, currentColor 6%, transparent); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
h3 { margin: 1rem 0 .3rem; font-size: .95rem; }
header label { display: inline-block; margin: .5rem 1.5rem .5rem 0; font-size: .9rem; }
input, textarea, select, button { font: inherit; padding: .3rem .5rem; border: 1px solid var(--line); border-radius: .3rem; background: Canvas; color: CanvasText; }
button { cursor: pointer; padding: .3rem 1rem; }
textarea { width: 100%; min-height: 9rem; font: 13px/1.45 ui-monospace, monospace; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; }
summary { cursor: pointer; padding: .5rem .75rem; display: flex; gap: .75rem; align-items: baseline; flex-wrap: wrap; }
summary code { font-weight: 600; }
details > div { padding: .25rem .75rem .9rem; border-top: 1px solid var(--line); }
.method { display: inline-block; min-width: 4.2rem; text-align: center; border-radius: .25rem; font: 600 .75rem/1.7 ui-monospace, monospace; background: var(--soft); }
.method.GET { color: #1663c7; } .method.POST { color: #1d7f3f; } .method.PUT { color: #9a6200; } .method.DELETE { color: #b3261e; }
@media (prefers-color-scheme: dark) { .method.GET { color: #7ab3ff; } .method.POST { color: #6fd28f; } .method.PUT { color: #f0b854; } .method.DELETE { color: #ff8a80; } }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
td, th { text-align: left; padding: .25rem .6rem .25rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
pre { overflow: auto; max-height: 26rem; padding: .75rem; margin: .4rem 0; background: var(--soft); border-radius: .3rem; font: 13px/1.45 ui-monospace, monospace; }
.muted { opacity: .75; font-size: .9rem; }
.status { font-weight: 600; }
:focus-visible { outline: 2px solid Highlight; outline-offset: 1px; }
`;
