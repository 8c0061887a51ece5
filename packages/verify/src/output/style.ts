// The style of the page: light and dark, and narrow enough for a phone.

export const style = `
:root { color-scheme: light dark; --ink: #1d2025; --soft: #59616b; --paper: #fff; --rail: #e6e8eb; --line: #d5d9de;
  --box: #f5f6f8; --pass: #1a7f37; --fail: #b42318; --warn: #8a5a00; --skipped: #6b727b;
  --name: #6f3cc3; --argument: #0b5cad; --markup: #b42318; --reasoning: #6b5b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a5adb7; --paper: #14171b; --rail: #2c3138;
  --line: #3a4048; --box: #1d2126; --pass: #4ec26b; --fail: #ff8577; --warn: #e3b341; --skipped: #9aa2ac;
  --name: #c8a6ff; --argument: #7ab8ff; --markup: #ff8577; --reasoning: #d9c65a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.25rem; max-width: 60rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0 .5rem; } .soft { color: var(--soft); }
.verdict { font-size: 1.15rem; font-weight: 600; } .verdict.pass { color: var(--pass); } .verdict.fail { color: var(--fail); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); } dd { margin: 0; white-space: pre-wrap; }
.scroll { overflow-x: auto; } .scroll table { overflow-wrap: normal; }
.scroll td, .scroll th:first-child { white-space: nowrap; } .scroll th { min-width: 8rem; }
.scroll :is(.counts, .errors) th { min-width: 0; }
.scroll :is(.counts td:first-child, .errors td:last-child) { white-space: normal; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem .3rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top; } th { color: var(--soft); font-weight: 600; }
.status { font-weight: 600; white-space: nowrap; }
.status.pass { color: var(--pass); } .status.fail { color: var(--fail); } .status.warn { color: var(--warn); }
.status.skipped { color: var(--skipped); }
section.check { border-left: 4px solid var(--line); padding-left: .9rem; margin: 1.25rem 0; }
section.check.fail { border-color: var(--fail); } section.check.warn { border-color: var(--warn); }
section.check h3 { margin: 0; font-size: 1.05rem; }
pre { background: var(--box); padding: .6rem; margin: .4rem 0; white-space: pre-wrap; overflow-wrap: anywhere;
  max-height: 22rem; overflow-y: auto; font: 13px/1.45 ui-monospace, monospace; }
summary { cursor: pointer; color: var(--soft); }
.advice { white-space: pre-line; } .narrow { display: none; }
svg { display: block; width: 100%; height: auto; margin: .5rem 0; } svg text { fill: var(--ink); font-size: 12px; }
.rates { list-style: none; margin: .5rem 0; padding: 0; max-width: 40rem; }
.rates li { display: grid; grid-template-columns: 13rem 1fr 5rem; gap: 0 .75rem; align-items: center; }
.rail { background: var(--rail); border-radius: 2px; } .bar { display: block; height: .8rem; border-radius: 2px; }
.bar.pass { background: var(--pass); } .bar.fail { background: var(--fail); } .bar.warn { background: var(--warn); }
.bar.skipped { background: var(--skipped); }
.axis { stroke: var(--soft); } .even { stroke: var(--rail); stroke-dasharray: 4 4; }
.curve { fill: none; stroke: var(--argument); stroke-width: 2; }
.name { color: var(--name); font-weight: 600; } .argument { color: var(--argument); } .markup { color: var(--markup); }
.reasoning { color: var(--reasoning); font-style: italic; }
@media (max-width: 48rem) { .counts thead { display: none; }
  .counts, .counts tbody { display: block; } .counts tr { display: grid; grid-template-columns: repeat(4, 1fr);
  border-bottom: 1px solid var(--line); padding: .3rem 0; } .counts td { border: 0; padding: 0 .3rem 0 0; }
  .counts td:first-child { grid-column: 1 / -1; font-weight: 600; }
  .counts td:not(:first-child)::before { content: attr(data-head); display: block; color: var(--soft);
  font-size: .8rem; } }
@media (max-width: 30rem) { body { padding: .8rem; } dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; }
  .title { display: none; } .narrow { display: block; } svg text { font-size: 18px; }
  .rates li { grid-template-columns: 1fr 4rem; } .rates li > :first-child { grid-column: 1 / -1; } }
`;
