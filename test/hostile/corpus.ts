/** Inputs that once did harm or are designed to do it, kept so that every run tries each of them again. */

/** As many keys as half a megabyte holds: each is a few characters, and a schema looks at every one. */
const manyKeys = Array.from({ length: 50_000 }, (_, at) => `"k${at}":1`).join(",");

/** What a caller may type. */
export const typedTexts: readonly string[] = [
  "1 ".repeat(1999),
  "1-".repeat(1999),
  "one hundred thousand and ".repeat(150),
  "1 day ago ".repeat(390),
  "march the first of ".repeat(200),
  "report an accident and check my claim and ".repeat(90),
  "a".repeat(3999),
  "don't ".repeat(600),
  "{{ memory }} {% for i in (1..99999) %}x{% endfor %}",
  "\u0000\u202e\ud800 ".repeat(500),
];

/** Text frames of a conversation's socket; sent as they are. */
export const clientMessages: readonly string[] = [
  "",
  "null",
  "[]",
  '"text"',
  '{"type":1}',
  '{"type":"__proto__"}',
  '{"type":"text","__proto__":{"text":"x"}}',
  '{"type":"text","payload":{"text":{"toString":1}}}',
  '{"type":"audio_data","data":"not base64!"}',
  '{"type":"audio_data","data":"AA=="}',
  '{"type":"config","agent_overrides":{"x":{"model":{"temperature":1e308}}}}',
  '{"type":"control","action":"explode"}',
  '{"type":"dtmf","digits":"' + "1".repeat(10_000) + '"}',
  `{"type":"dtmf","digits":"${"1#".repeat(16)}"}`,
  '{"kind":"' + "aA".repeat(5000) + '"}',
  "[".repeat(50_000),
  '{"a":'.repeat(5000) + "1" + "}".repeat(5000),
  `{"type":"text","payload":{${manyKeys}}}`,
  `{"type":"config","agent_overrides":{${manyKeys}}}`,
  `{"type":"audio_data","data":"${"A".repeat(500_000)}"}`,
];

/** Text frames of the communication service. */
export const mediaFrames: readonly string[] = [
  '{"kind":"AudioData"}',
  '{"kind":"AudioData","audioData":{"data":null}}',
  '{"Kind":"AudioData","AudioData":{"Data":"####","Silent":"maybe"}}',
  '{"kind":"AudioMetadata","audioMetadata":{"sampleRate":1e99,"channels":-1}}',
  '{"kind":"DtmfData","dtmfData":{"data":"' + "#".repeat(5000) + '"}}',
  '{"kind":"StopAudio","stopAudio":' + "[".repeat(1000) + "]".repeat(1000) + "}",
  `{"kind":"AudioMetadata","audioMetadata":{${manyKeys}}}`,
  `{"kind":"TranscriptionData","transcriptionData":{"text":"${"x".repeat(400_000)}","resultStatus":"Final"}}`,
];

/** Text frames of the telephony platform. */
export const hookMessages: readonly string[] = [
  '{"version":"2","id":"x","type":"open","seq":-1,"serverseq":0,"position":"PT0S","parameters":{}}',
  '{"version":"2","id":"00000000-0000-4000-8000-000000000000","type":"open","seq":1e15,"serverseq":0,"position":"PT","parameters":[]}',
  '{"version":"2","type":"dtmf","seq":1,"serverseq":0,"position":"PT' +
    "9".repeat(400) +
    'S","parameters":{"digit":"Z"}}',
  '{"version":"2","type":"discarded","parameters":{"discarded":"PT' + "1".repeat(5000) + '.S"}}',
];

const choice = (values: number, wordings: number) => ({
  type: "choice",
  options: Object.fromEntries(
    Array.from({ length: values }, (_, value) => [
      `o${value}`,
      Array.from({ length: wordings }, (_wording, at) => `word${value}x${at}`),
    ]),
  ),
});

const many = (intents: number, examples: number, sentence: (at: number) => string) => ({
  intents: Object.fromEntries(
    Array.from({ length: intents }, (_, intent) => [
      `i${intent}`,
      { examples: Array.from({ length: examples }, (_example, at) => sentence(intent * examples + at)), say: "ok" },
    ]),
  ),
});
const letter = (at: number): string => String.fromCodePoint(97 + (Math.floor(at) % 26));

/** Rules that just fit: what is said is compared with all of it, in every turn. */
export const largestRules: readonly object[] = [
  many(60, 15, (at) => `incomprehen${letter(at)}${letter(at / 26)} `.repeat(18).trim()),
  many(45, 14, (at) => `aaaaaaa${letter(at)} `.repeat(28).trim()),
  many(40, 20, (at) => `${"one hundred thousand and ".repeat(4)}the first of march ${at % 100}`),
  { intents: { i0: { examples: ["{a} {b} now"], slots: { a: choice(65, 1), b: choice(65, 1) }, say: "ok" } } },
];

/** As long as what is heard of a turn may be, and as like what they are compared with as words can be. */
export const textsForLargestRules: readonly string[] = [
  Array.from({ length: 55 }, (_, at) => `incomprehen${letter(at)}x`).join(" "),
  "aaaaaaab ".repeat(88).trim(),
  "one hundred thousand and ".repeat(25),
  Array.from({ length: 65 }, (_, at) => `word${at}x0`).join(" "),
];

/** Bodies of POST /agents, each of which must be refused or cost little. */
export const agentBodies: readonly object[] = [
  { rules: { intents: { boom: { examples: ["{c} ".repeat(60)], slots: { c: choice(20, 20) }, say: "ok" } } } },
  { rules: { intents: { boom: { examples: ["{c} ".repeat(60_000)], slots: { c: choice(1, 1) }, say: "ok" } } } },
  {
    rules: {
      intents: { boom: { examples: ["{a} {b}"], slots: { a: choice(200, 20), b: choice(200, 20) }, say: "ok" } },
    },
  },
  { greeting: `{% for i in (1..99999) %}${"x".repeat(900)}{% endfor %}` },
  { greeting: `{% for i in (1..3000) %}${"Hello there. ".repeat(60)}{% endfor %}` },
  { prompt: `${"{% for i in (1..300) %}".repeat(4)}{{ i }}${"{% endfor %}".repeat(4)}` },
  { prompt: `{% assign a = "${"a".repeat(10_000)}" %}${"{% assign a = a | append: a %}".repeat(40)}{{ a }}` },
  { prompt: `{{ "now" | date: "%1000000000d" }} and more` },
  { prompt: `{% assign a = "${"<script".repeat(4000)}" %}{{ a | strip_html }}` },
  { prompt: `You are ${"{{ memory }}".repeat(2600)}` },
  { prompt: `You are ${"{{a}}\n".repeat(5300)}` },
  { prompt: `You are {% if ${"memory or ".repeat(3100)}memory %}{% endif %}` },
  { template_vars: { a: "x".repeat(900_000) } },
  { template_vars: { a: Array.from({ length: 60 }, () => "y".repeat(100)) }, greeting: "{{ a }}{{ a }}{{ a }}" },
  { guardrails: { a: { pattern: "(a+)+$", stop: "no" } } },
  { guardrails: { a: { pattern: "((a{100}){100}){100}", stop: "no" } } },
  {
    guardrails: Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`g${at}`, { pattern: "\\w{1,1000}x", replace: "y".repeat(1000) }]),
    ),
  },
  {
    guardrails: Object.fromEntries(
      Array.from({ length: 16 }, (_, at) => [`g${at}`, { pattern: `\\w{1,9${at}0}x`, stop: "no" }]),
    ),
  },
  { examples: Array.from({ length: 500 }, (_, at) => `${"word ".repeat(50)}${at}`) },
];

/** Bodies that are not JSON, or stop being JSON after a few bytes. */
export const rawBodies: readonly string[] = [
  `{"rules":{"intents":{${manyKeys}}}}`,
  `{"template_vars":{${manyKeys}}}`,
  `{${manyKeys}}`,
  "{",
  "[".repeat(100_000),
  '{"a":'.repeat(65) + "1" + "}".repeat(65),
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '"' + "\\u0000".repeat(10_000) + '"',
  "1e400",
];

/** Bodies of the webhooks: Event Grid's deliveries and the communication service's callbacks. */
export const deliveries: readonly string[] = [
  "[]",
  "[{}]",
  '[{"eventType":"Microsoft.EventGrid.SubscriptionValidationEvent","data":{"validationCode":{"a":1}}}]',
  '[{"eventType":"Microsoft.Communication.IncomingCall","data":{"incomingCallContext":"' + "x".repeat(900_000) + '"}}]',
  '[{"type":"Microsoft.Communication.CallConnected","data":{"callConnectionId":"../../{calls}"}}]',
  `[${'{"type":"Microsoft.Communication.CallDisconnected","data":{"callConnectionId":"x"}},'.repeat(2000)}{}]`,
];

export const queries: readonly string[] = [
  "session_id=%00%00%00%00%00%00%00%00",
  "session_id=../../../../etc/passwd",
  "session_id={a}:{b}&session_id=x",
  "limit=1e9&page=-1",
  "streaming_mode=__proto__",
  "ticket=" + "A".repeat(6000),
  "a=" + "%F0%9F%92%A9".repeat(500),
];

/** Ids that no path of a URL can carry: parsers resolve or drop them (RFC 3986, section 5.2.4). */
export const unspeakableIds: readonly string[] = [".", "..", "%2e%2e", ".%2E", "./.", "/", "a/..", "\\..", " .. "];

/** Numbers of the range for fiction (NANP 555-01XX), where calls are allowed. */
export const freeNumbers: readonly string[] = ["+12025550123", "+12025550124", "+12025550125"];

/** Emergency, premium, satellite, short and foreign numbers, and ways to write them so that they look like others. */
export const refusedNumbers: readonly unknown[] = [
  "+112",
  "+1911",
  "+999",
  "+1 911",
  "911",
  "+19005550100",
  "+1 (900) 555-0100",
  "+19765550100",
  "+8821234567890",
  "+8835100012345678",
  "+979123456789",
  "+2394567890",
  "+4930123456",
  "0019005550100",
  "+0019005550100",
  "tel:+19005550100",
  "sip:+19005550100@example.com",
  "+\uff11\uff19\uff10\uff10\uff15\uff15\uff15\uff10\uff11\uff10\uff10",
  "+1\u200b9005550100",
  "+12025550123,,911",
  "+12025550123;ext=911",
  "+12025550123#911",
  "+12025550123\n+19005550100",
  ["+19005550100"],
  { value: "+19005550100" },
  12_025_550_123,
];
