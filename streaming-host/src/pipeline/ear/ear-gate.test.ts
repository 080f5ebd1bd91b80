import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { busyMs } from "../../testing/busy-ms.ts";
import { earTools as tools, read, readEveryWay } from "../../testing/read-every-way.ts";
import { EarGate } from "./ear-gate.ts";

const labelWords =
  "thought process|thinking|reasoning process|my thought process|chain of thought|action|tool calls|tool_calls|tool name|function call|function name|observation|result|tool result|tool response|function result|final answer|final response|answer|response|reply|return|assistant|ai|user|human".split(
    "|",
  );
const mayWait = [
  ...[...tools.map(({ name }) => name), "functools"].flatMap((name) => [
    name,
    `functions.${name}`,
    `call:${name}`,
    `default_api.${name}`,
  ]),
  "analysis",
  "commentary",
  "assistant",
  "final",
  "to=functions.",
  "Here is my thought process:",
  "Thinking...",
  "model",
  ...labelWords,
];
const answer = "Your order is on its way.";

describe("[EAR-2] thoughts", () => {
  it.each([
    ["<think>\nShe asks for <b>.\n</think>\n\n"],
    ["<think></think>"],
    ["<thinking>Let me see. 2 < 3.</thinking>"],
    ["<Thinking>Let me see.</THINKING>"],
    ["<thought>hm</thought>"],
    ["<thoughts type='private'>hm</thoughts>"],
    ["<reasoning>hm</reasoning>"],
    ["<reflection>hm</reflection>"],
    ["<scratchpad>hm</scratchpad>"],
    ["<inner_monologue>hm</inner_monologue>"],
    ["<seed:think>hm</seed:think>"],
    ["<longcat_think>hm</longcat_think>"],
    ["<mm:think>hm</mm:think>"],
    ["<unused94>thought\nhm<unused95>"],
    ['<details type="reasoning" done="true">hm</details>'],
    ["<think>a<think>b</think>c</think>"],
    ["<think>hm[/THINK]"],
    ["[THINK]hm [1] hm[/THINK]"],
    ["◁think▷hm◁/think▷"],
    ["<|think|>hm<|/think|>"],
    ["<|begin_of_thought|>hm<|end_of_thought|>"],
    ["<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>"],
    ["<|inner_prefix|>hm<|inner_suffix|>"],
    ["<|channel>thought\nhm<channel|>"],
    ["<|open|>think<|sep|>hm<|close|>think<|sep|><|open|>response<|sep|>"],
    ["<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>"],
    ["<|start|>assistant<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>"],
    ["<|channel|>commentary<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>"],
    ["to=self"].flatMap(() => ["<|start|>assistant to=self<|message|>hm<|eom|><|start|>assistant to=user<|message|>"]),
    ["analysisThe caller asks.assistantfinal"],
    ["analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>"],
    ["assistant<|channel|>analysis<|message|>hm<|end|>final<|message|>"],
    ["Here is my thought process: hm. Here is my response: "],
    ["<think>I need no <answer> yet.</think>"],
    ["<think>never closed <answer>"],
    ["<cot>hm</cot>"],
    ["<internal>hm</internal>"],
    ["<思考>hm</思考>"],
    ["<pensée>hm</pensée>"],
    ["[Thinking]hm[/Thinking]"],
  ])("are not spoken: %s", (thought) => {
    expect(readEveryWay(`${thought}${answer}`)).toMatchObject({ text: answer, calls: [], withheld: ["thought"] });
  });

  it("are not spoken after the first words, nor where they do not end", () => {
    expect(readEveryWay(`Well. <think>hm</think> ${answer}`).text).toBe(`Well. ${answer}`);
    expect(readEveryWay(`${answer} <thinking>hm`).text).toBe(answer);
    expect(readEveryWay(`<think>the <think> mark is mentioned.</think>${answer}`).text).toBe(answer);
  });

  it("are not spoken where the answer is cut inside them", () => {
    expect(readEveryWay("<think>never <answer>cl", {}, true).text).toBe("");
  });
});

describe("[EAR-4] an answer that begins inside a thought", () => {
  it("passes from the thought's end on, whether that was known or not", () => {
    for (const beginning of ["unknown", "thought"] as const) {
      expect(readEveryWay(`She asks. I look.\n</think>\n\n${answer}`, { beginning })).toMatchObject({
        text: answer,
        calls: [],
        withheld: ["thought"],
      });
      expect(readEveryWay(`She asks.assistantfinal${answer}`, { beginning }).text).toBe(answer);
    }
  });

  it("passes whole where there was no thought, with its calls", () => {
    const text = `${answer} <tool_call>{"name":"get_weather","arguments":{}}</tool_call>`;
    expect(readEveryWay(text, { beginning: "unknown" })).toMatchObject({
      text: answer,
      calls: ["get_weather {}"],
      withheld: [],
    });
    expect(readEveryWay(`Yes. <think>hm</think> ${answer}`, { beginning: "thought" }).text).toBe(`Yes. ${answer}`);
  });

  it("says what it was, for the next answer", () => {
    const gate = new EarGate({ tools });
    gate.push(`She asks.</think>${answer}`);
    expect(gate.beganInThought).toBe(true);
    const plain = new EarGate({ tools, beginning: "unknown" });
    expect(plain.push(answer)).toBe("");
    expect([plain.beganInThought, plain.end(), plain.beganInThought]).toEqual([undefined, answer, false]);
  });
});

describe("[EAR-5] calls in text", () => {
  const city = 'get_weather {"city":"Paris"}';
  it.each([
    ['<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>', city],
    ['<tool_call>{"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\"}"}', city],
    ['<function=get_weather>{"city": "Paris"}</function>', city],
    [
      "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
      'get_weather {"city":"Paris","days":2}',
    ],
    ["<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>", city],
    ['<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}<|eom_id|>', city],
    ['<|python_tag|>get_weather.call(city="Paris")', city],
    ['[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris"}}]', city],
    ['[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}', city],
    ['[TOOL_CALLS]get_weather[CALL_ID]a1b2[ARGS]{"city": "Paris"}', city],
    ['get_weather[ARGS]{"city": "Paris"}', city],
    ['functools[{"name": "get_weather", "arguments": {"city": "Paris"}}]', city],
    ['{"name": "get_weather", "arguments": {"city": "Paris"}}', city],
    ['{"type": "function", "function": {"name": "get_weather", "parameters": {"city": "Paris"}}}', city],
    ['{"tool_calls": [{"name": "get_weather", "arguments": {"city": "Paris"}}]}', city],
    ["{'name': 'get_weather', 'arguments': {'city': 'Paris'}}", city],
    ['```json\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n```', city],
    ['```tool_code\nprint(default_api.get_weather(city="Paris"))\n```', city],
    ['[get_weather(city="Paris")]', city],
    ["[get_weather(city='Paris', days=2), book_table()]", 'get_weather {"city":"Paris","days":2}|book_table {}'],
    ['get_weather(city="Paris")', city],
    ['Now I call get_weather(city="Paris")', city, "Now I call"],
    ['get-hours(day="Monday")', 'get-hours {"day":"Monday"}'],
    ["<get-hours><day>Monday</day></get-hours>", 'get-hours {"day":"Monday"}'],
    ['Now I call functions.get_weather:0{"city": "Paris"}', city, "Now I call"],
    ['<|tool_call_start|>[get_weather(city="Paris")]<|tool_call_end|>', city],
    ['<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>', city],
    ['<|start|>assistant<|channel|>commentary to=functions.get_weather<|message|>{"city": "Paris"}', city],
    [
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Paris"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      city,
    ],
    [
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      city,
    ],
    [
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      city,
    ],
    [
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_calls_section_end|>',
      city,
    ],
    [
      '<function_calls><invoke name="get_weather"><parameter name="city">Paris</parameter></invoke></function_calls>',
      city,
    ],
    ['<invoke name="get_weather"><parameter name="city">Paris</parameter></invoke>', city],
    [
      '<minimax:tool_call><invoke name="get_weather"><parameter name="city">Paris</parameter></invoke></minimax:tool_call>',
      city,
    ],
    ["<get_weather><city>Paris</city></get_weather>", city],
    [
      '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris"}}]<|END_ACTION|>',
      city,
    ],
    ['<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</TOOLCALL>', city],
    ['<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]', city],
    ['<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>', city],
    ["<start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>", city],
    ['<|action_start|><|plugin|>{"name": "get_weather", "parameters": {"city": "Paris"}}<|action_end|>', city],
    ['<|tools_prefix|>[{"get_weather": {"city": "Paris"}}]<|tools_suffix|>', city],
    ["<tool_call>book_table</tool_call>", "book_table {}"],
    ['<tool_call>{"name": "book_table", "arguments": null}</tool_call>', "book_table {}"],
    ['<tool_call>{"name": "book_table", "arguments": ""}</tool_call>', "book_table {}"],
    [
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}{"name": "book_table", "arguments": {}}</tool_call>',
      `${city}|book_table {}`,
    ],
    ['get_weather({"city": "Paris"})', city],
    ['get_weather({city: "Paris"})', city],
    ['[tool_call: get_weather(city="Paris")]', city],
    ['[Tool call: get_weather {"city": "Paris"}]', city],
    ['<think>hm</think><tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>', city],
    ['<think>hm <tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>', city],
  ])("are calls, and not spoken: %s", (written, calls, said = "") => {
    for (const before of ["", "One moment.\n"])
      expect(readEveryWay(`${before}${written}`)).toMatchObject({
        text: `${before}${said}`.trim(),
        calls: calls.split("|"),
      });
  });

  it.each([
    'to=functions.get_weather json{"city": "Paris"}',
    'commentary to=functions.get_weather<|message|>{"city": "Paris"}',
    'analysisI look.assistantcommentary to=functions.get_weather json{"city": "Paris"}',
  ])("are calls at the beginning of an answer whose special tokens are missing: %s", (written) => {
    expect(readEveryWay(written)).toMatchObject({ text: "", calls: ['get_weather {"city":"Paris"}'] });
  });

  it("are not what only looks like one", () => {
    for (const text of [
      "book_table (a tool) books",
      "get_weather is a tool",
      "target_weather(city=1)",
      "Functions: book_table.",
    ])
      expect(readEveryWay(text)).toMatchObject({ text, calls: [], withheld: [] });
    expect(readEveryWay('{"answer": "We are open."}').text).toBe("We are open.");
  });

  it.each([
    ['<tool_call>{"name": "launch", "arguments": {}}</tool_call>'],
    ['<tool_call>{"name": "get_weather", "arguments": ["Paris"]}</tool_call>'],
    ['{"name": "launch", "arguments": {"city": "Paris"}}'],
    ['[{"id": 1}, {"id": 2}]'],
    ['<function=launch>{"city": "Paris"}</function>'],
    ["[launch(city='Paris')]"],
    ['[TOOL_CALLS][{"name": "launch", "arguments": {}}]'],
  ])("are left out where no such tool is offered, or the arguments are no object: %s", (written) => {
    expect(readEveryWay(`One moment. ${written} Done.`)).toMatchObject({
      text: "One moment.\nDone.",
      calls: [],
      withheld: ["call"],
    });
  });

  it("are not carried out where the answer was cut inside them", () => {
    expect(readEveryWay('<tool_call>{"name": "get_weather", "argum', {}, true).calls).toEqual([]);
  });

  it("let the words behind them pass", () => {
    const call = '{"name": "get_weather", "arguments": {}}';
    for (const written of [`[TOOL_CALLS][${call}]`, `<tool_call>${call}`, `<tool_call>${call}</tool_call>`, call])
      expect(readEveryWay(`${written} ${answer}`)).toMatchObject({
        text: answer,
        calls: ["get_weather {}"],
        withheld: [],
      });
    expect(readEveryWay(`<tool_call>{"name": "get_wea</tool_call> ${answer}`).text).toBe(answer);
    expect(readEveryWay(`<call>${answer}`).text).toBe(answer);
  });
});

describe("[EAR-3] other marks", () => {
  it.each([
    [`<|im_start|>assistant\n${answer}<|im_end|>\n<|im_start|>user\nAnd then?<|im_end|>`, answer],
    [`<|start_header_id|>assistant<|end_header_id|>\n\n${answer}<|eot_id|>`, answer],
    [`<start_of_turn>model\n${answer}<end_of_turn>`, answer],
    [`${answer}</s>`, answer],
    [`${answer}<|endoftext|>`, answer],
    [`<|assistant|>${answer}<|user|>And then?`, answer],
    [`<no_think>${answer}`, answer],
    [`\`\`\`json\n{"response": "${answer}"}\n\`\`\``, answer],
    [`[{"type": "text", "text": "${answer}"}]`, answer],
    ['[Result of get_weather: {"sky": "clear"}] It is clear.', "It is clear."],
    [`<answer>${answer}</answer>`, answer],
    [`<tool_response>{"ok": true}</tool_response>${answer}`, answer],
    [`<p>${answer}</p>`, answer],
    [`${answer}<|im_e`, answer],
    ["It is <b>very</b> <span class='x'>good</span>, H<sub>2</sub>O.", "It is very good, H2O."],
    ["One.<br/>Two.", "One.\nTwo."],
    ["See <https://example.com/a> or <me@example.com>.", "See https://example.com/a or me@example.com."],
    ["Open <!-- note --> now.", "Open now."],
    ["We close at five.【4†source】", "We close at five."],
    ["Formula: $$\\frac{3}{4}$$ and \\(x^2 \\leq 9\\), $\\pi$.", "Formula: 3/4 and x² ≤ 9, π."],
    ["It is $1,234.5^2$, or $123 = x$.", "It is 1,234.5², or 123 = x."],
    ["That is \\sqrt{4}", "That is √4"],
    ["So:\n```js\nconst hours = 9;\n```\nThat is it.", "So:\nThat is it."],
    ["```\nYour order is on its way.\n```", "Your order is on its way."],
    ["```Your order is on its way.```", "Your order is on its way."],
  ])("of %j leave the words", (written, spoken) => {
    expect(readEveryWay(written).text).toBe(spoken);
  });

  it.each([
    "x < y and y > z",
    "I <3 you",
    "a <b and c> d",
    "It costs $5 and $6, or $1,250.75 dollars.",
    "Use {name} or [name] or [see our page](https://example.com/a).",
    "a<b",
    "Between 5 < x < 9.",
    "Section [1] of *three*",
    'He said "no" & left; it\'s 50% off!',
    "【重要】です。",
    "Book a table. Functions are fun. Get well soon.",
    "C:\\temp \\o/",
    "[Tools](https://example.com)",
    "`code` and ~30 minutes",
    "It is at 5 [sic] p.m.",
  ])("are not what ordinary text has: %j", (text) => {
    expect(readEveryWay(text)).toMatchObject({ text, calls: [], withheld: [] });
  });
});

describe("[EAR-6] the gate", () => {
  it("passes at once what cannot become a mark", () => {
    const gate = new EarGate({ tools });
    const word = fc.stringMatching(/^[A-Za-zäöüéñ0-9,.;:!?'"()%&+*=_#|>@/ -]{1,20}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const fresh = new EarGate({ tools });
        let passed = "";
        for (const [index, piece] of words.entries()) {
          passed += fresh.push(piece);
          const waits = words
            .slice(0, index + 1)
            .join("")
            .trimStart()
            .slice(passed.length);
          // The beginning of a tool's name, or of a label, which may be bold, with its colon. Behind it an escaped bracket may have
          // begun: whether it is one decides what the beginning is.
          const begun = waits.replace(/&(?:[lg]t?|#(?:6[02]?|x(?:3[ce]?)?)?)?$/i, "");
          const plain = begun.toLowerCase().replaceAll(/^[#>*_ ]+|[*_ ]*:?[*_ ]*$/g, "");
          expect(mayWait.some((name) => name.startsWith(begun) || name.toLowerCase().startsWith(plain))).toBe(true);
        }
      }),
    );
    expect(["Your", " order", " is", " on", " its way.", "\n", "Fine"].map((piece) => gate.push(piece)).join("|")).toBe(
      "Your| order| is| on| its way.|\n|Fine",
    );
  });

  it("gives the same whatever the pieces, and never fails", () => {
    const unit = fc.constantFrom(
      "<",
      ">",
      "|",
      "/",
      "[",
      "]",
      "{",
      "}",
      "(",
      ")",
      '"',
      "'",
      "`",
      "```",
      "$",
      "\\",
      "\n",
      " ",
      "a",
      "5",
      "=",
      ":",
      ",",
      "~~~",
      "<think>",
      "</think>",
      "<|channel|>",
      "analysis",
      "final",
      "<|message|>",
      "<|end|>",
      "<|start|>",
      "assistant",
      "[THINK]",
      "[/THINK]",
      "<tool_call>",
      "</tool_call>",
      "get_weather",
      "get-hours",
      "get-",
      "hours",
      '{"name":"get_weather","arguments":{}}',
      "<|im_start|>",
      "user",
      "[TOOL_CALLS]",
      "<answer>",
      "<b>",
      "<!--",
      "-->",
      "◁think▷",
      "◁",
      "【",
      "】",
      "$$",
      "\\[",
      "\\]",
      "<|open|>",
      "<|sep|>",
      "assistantfinal",
      "to=functions.x",
      "<parameter=a>",
    );
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 }),
        fc.constantFrom("speech" as const, "unknown" as const, "thought" as const),
        fc.boolean(),
        (parts, sizes, beginning, isCut) => {
          const text = parts.join("");
          const pieces: string[] = [];
          for (let at = 0, index = 0; at < text.length; index++) {
            const size = sizes[index % sizes.length] ?? 1;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          expect(read(pieces, { beginning }, isCut)).toEqual(read([text], { beginning }, isCut));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("loses no letter of text without marks", () => {
    const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
    const unit = fc.constantFrom(
      "a",
      "b ",
      "1",
      ". ",
      "<",
      " < ",
      ">",
      "[",
      "]",
      "(",
      ")",
      "\n",
      "$",
      "5",
      "*",
      "|",
      "#",
      "é",
      "中",
      "👍",
      "-",
      "{",
      "}",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (parts) => {
        // A letter or a bar directly behind an angle bracket may begin a mark.
        const text = parts.join("").replaceAll(/<(?=[\p{L}|])/gu, "< ");
        expect(letters(read([text]).text)).toBe(letters(text));
      }),
      { examples: [[["[", "{", "}", "a"]], [["[", "{", "}", "\n", "[", "a"]]] },
    );
  });

  it.each([
    ["<".repeat(50_000)],
    ["<a ".repeat(20_000)],
    ["<a b=c ".repeat(7_000)],
    ["{".repeat(50_000)],
    ['{"'.repeat(25_000)],
    ["[{".repeat(25_000)],
    ["[get_weather(".repeat(4_000)],
    ["<think>".repeat(7_000)],
    ["<think><answer>".repeat(3_000)],
    ["</think>".repeat(6_000)],
    ["<tool_call>".repeat(4_000)],
    ["<tool_call><arg_key>".repeat(2_000)],
    ["<function=get_weather><parameter=a>".repeat(2_000)],
    ["```".repeat(16_000)],
    ["$a".repeat(25_000)],
    ["\\[".repeat(25_000)],
    ["<|channel|>".repeat(4_000)],
    ["<|open|>a".repeat(5_000)],
    ["【".repeat(50_000)],
    ["<!--".repeat(12_000)],
  ])("reads hostile text in linear time: %#", (text) => {
    for (const beginning of ["speech", "unknown"] as const) {
      const startedAt = busyMs();
      read([text], { beginning });
      read(text.match(/[\s\S]{1,4}/g) ?? [], { beginning });
      // Quadratic work on so many characters takes a minute.
      expect(busyMs() - startedAt).toBeLessThan(10_000);
    }
  });
});
