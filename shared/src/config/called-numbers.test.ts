import { describe, expect, it } from "vitest";
import { partyOfText } from "../calls/party.ts";
import { calledNumberList, startOfCall } from "./called-numbers.ts";

const startsOf = (text: string) => calledNumberList.schema.parse(text);

describe("[NUM-3] what lines are for", () => {
  it("is found by a number however it is written, or by a raw id in any letter case", () => {
    const starts = startsOf(
      "14255550150=a, 4:+1 425 555 0151=b/c, 28:orgid:6F9619FF-8B86-D011-B42D-00C04FC964FF=d, 4:1234=e",
    );
    for (const [line, start] of [
      ["+14255550150", { scenario: "a" }],
      ["4:14255550150", { scenario: "a" }],
      ["+14255550151", { scenario: "b", agent: "c" }],
      ["28:orgid:6f9619ff-8b86-d011-b42d-00c04fc964ff", { scenario: "d" }],
      ["4:1234", { scenario: "e" }],
      ["+14255550152", undefined],
      ["4:anonymous", undefined],
    ] as const)
      expect(startOfCall(partyOfText(line), starts)).toEqual(start);
  });

  it.each([
    ["+14255550150=a,insurance", /pair 2 is none/],
    ["+14255550150", /pair 1 is none/],
    ["=a", /pair 1 is none/],
    ["+14255550150=a b", /pair 1 is none/],
    ["4255550150=a", /pair 1 names neither/],
    ["+1425555015x=a", /pair 1 names neither/],
    ["1234=a", /pair 1 names neither .* 4:1234/],
    ["anonymous=a", /pair 1 names neither/],
    ["8:orgd:1=a", /pair 1 names neither/],
    ["28:orgid:=a", /pair 1 names neither/],
    ["+14255550150=a,14255550150=b", /pair 2 names a line that an earlier one has/],
  ])("is refused where %s is no list of them, without being repeated", (text, message) => {
    const { error } = calledNumberList.schema.safeParse(text);
    expect(error?.issues.map((issue) => issue.message)).toEqual([expect.stringMatching(message)]);
  });
});
