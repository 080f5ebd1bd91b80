import { httpToolFile, toHttpTool } from "@voice/shared/catalog/http-tool-file";
import type { HttpTool } from "@voice/shared/catalog/http-tool";
import { Templates } from "@voice/shared/catalog/template";
import { describe, expect, it } from "vitest";
import { fillInRequest } from "./fill-in-request.ts";

const options = { templates: new Templates(), secrets: new Map([["ORDERS_TOKEN", "s3cret"]]) };

function tool(request: Readonly<Record<string, unknown>>): HttpTool {
  return toHttpTool("order_status", httpToolFile.parse({ description: "Looks an order up.", request }));
}

describe("a tool's request", () => {
  it("has each argument as one piece of its address, whatever characters it has", () => {
    const order = tool({ url: "https://orders.example/v1/orders/{{ args.order }}/items?page={{ args.page }}" });
    const { url } = fillInRequest(order, { args: { order: "../../users?x=1#y", page: "1&all=true" } }, options);
    expect(url.href).toBe("https://orders.example/v1/orders/..%2F..%2Fusers%3Fx%3D1%23y/items?page=1%26all%3Dtrue");
  });

  it.each(["", ".", "..", undefined])("is refused when a piece of its address would be %j", (order) => {
    const status = tool({ url: "https://orders.example/v1/orders/{{ args.order }}" });
    expect(() => fillInRequest(status, { args: { order } }, options)).toThrow("no value");
  });

  it("leaves out of its query what is not given", () => {
    const search = tool({
      url: "https://orders.example/search",
      query: { customer: "{{ customer.id }}", since: "{{ args.since }}" },
    });
    expect(fillInRequest(search, { args: {}, customer: { id: "c 1" } }, options).url.search).toBe("?customer=c+1");
  });

  it("has a body whose lone values keep their types", () => {
    const book = tool({
      method: "POST",
      url: "https://desk.example/bookings",
      body: {
        seats: "{{ args.seats }}",
        note: "for {{ args.name }}",
        tags: ["phone", "{{ agent_name }}"],
        urgent: false,
      },
    });
    const filled = fillInRequest(book, { args: { seats: 4, name: "Ada" }, agent_name: "host" }, options);
    expect(JSON.parse(filled.body ?? "")).toEqual({
      seats: 4,
      note: "for Ada",
      tags: ["phone", "host"],
      urgent: false,
    });
    expect(filled.headers).toEqual({ "content-type": "application/json" });
  });

  it("has secrets in its headers, and nowhere else", () => {
    const order = tool({
      url: "https://orders.example/{{ args.order }}",
      headers: { Authorization: "Bearer {{ secrets.ORDERS_TOKEN }}", "X-Note": "{{ args.order }}" },
    });
    const { headers, url } = fillInRequest(order, { args: { order: "{{ secrets.ORDERS_TOKEN }}" } }, options);
    expect(headers).toEqual({ authorization: "Bearer s3cret", "x-note": "{{ secrets.ORDERS_TOKEN }}" });
    expect(url.href).not.toContain("s3cret");
    const leaky = tool({ url: "https://orders.example/x", query: { key: "{{ secrets.ORDERS_TOKEN }}" } });
    expect(fillInRequest(leaky, { args: {} }, options).url.search).toBe("");
  });

  it("has headers of one line each", () => {
    const order = tool({ url: "https://orders.example/", headers: { "X-Note": "{{ args.note }}" } });
    const { headers } = fillInRequest(order, { args: { note: "a\r\nX-Admin: yes" } }, options);
    expect(headers).toEqual({ "x-note": "a X-Admin: yes" });
  });

  it("has headers in UTF-8, because customers have names in every alphabet", () => {
    const order = tool({ url: "https://orders.example/", headers: { "X-Customer": "{{ customer.name }}" } });
    const { headers } = fillInRequest(order, { args: {}, customer: { name: " Zoë 李\u0000" } }, options);
    expect(Buffer.from(headers["x-customer"] ?? "", "latin1").toString("utf8")).toBe("Zoë 李");
  });
});
