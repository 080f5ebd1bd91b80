import { describe, expect, it } from "vitest";
import { corsHeaders } from "./cors.ts";

const allowed = ["https://console.example.com", "http://localhost:5173/"];

describe("the CORS headers", () => {
  it("are absent while no origin is listed", () => {
    expect(corsHeaders("https://console.example.com", [])).toEqual({});
  });

  it("name a listed origin, and tell caches that the answer depends on it", () => {
    for (const origin of ["https://console.example.com", "http://localhost:5173"]) {
      expect(corsHeaders(origin, allowed)).toMatchObject({ vary: "Origin", "access-control-allow-origin": origin });
    }
  });

  it("let a page read how long a recording is that it gets in parts", () => {
    const { "access-control-expose-headers": exposed } = corsHeaders("https://console.example.com", allowed);
    expect(exposed?.split(", ")).toEqual(expect.arrayContaining(["accept-ranges", "content-range"]));
  });

  it.each([
    "https://console.example.com.evil.com",
    "http://console.example.com",
    "null",
    "https://console.example.com:444",
    undefined,
  ])("name nobody for %s", (origin) => {
    expect(corsHeaders(origin, allowed)).toEqual({ vary: "Origin" });
  });
});
