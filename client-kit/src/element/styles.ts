/** What a page sets from outside are the variables; both colour schemes pass WCAG AA as they are. */
export const styles = `
:host {
  --background: var(--voice-agent-background, light-dark(#fff, #16181d));
  --text: var(--voice-agent-text, light-dark(#1b1d22, #eceef2));
  --muted: var(--voice-agent-muted, light-dark(#565b66, #a4abb8));
  --border: var(--voice-agent-border, light-dark(#c9cdd6, #3c414c));
  --accent: var(--voice-agent-accent, light-dark(#1f5fbf, #8ab4ff));
  --on-accent: var(--voice-agent-on-accent, light-dark(#fff, #10131a));
  --problem: var(--voice-agent-problem, light-dark(#a4262c, #ff9a9f));
  --radius: var(--voice-agent-radius, 12px);
  color-scheme: light dark;
  display: block;
  font: var(--voice-agent-font, 16px/1.5 system-ui, sans-serif);
  max-width: 30rem;
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
section {
  background: var(--background); color: var(--text); border: 1px solid var(--border); border-radius: var(--radius);
  display: grid; gap: .75rem; padding: 1rem;
}
h2, p { margin: 0; font-size: 1em; }
header { display: flex; justify-content: space-between; gap: 1rem; }
h2 { font-weight: 600; }
.status { color: var(--muted); }
.problem { color: var(--problem); }
[hidden] { display: none !important; }
.transcript { height: var(--voice-agent-height, 16rem); overflow-y: auto; display: grid; align-content: start; gap: .5rem; }
.entry { overflow-wrap: anywhere; }
.who { color: var(--muted); margin-inline-end: .4em; }
.entry.user.open::after { content: "…"; }
.controls, form { display: flex; gap: .5rem; }
button, input { font: inherit; min-height: 2.75rem; border-radius: calc(var(--radius) / 2); border: 1px solid var(--border); padding: 0 1rem; }
button { background: transparent; color: inherit; cursor: pointer; }
button.main { background: var(--accent); color: var(--on-accent); border-color: var(--accent); flex: 1; }
button.main.on { box-shadow: 0 0 0 calc(var(--level, 0) * 10px) color-mix(in srgb, var(--accent) 40%, transparent); }
button:disabled { cursor: default; opacity: .6; }
input::placeholder { color: var(--muted); opacity: 1; }
input { flex: 1; min-width: 0; background: transparent; color: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
