/**
 * Loaded before a process of the fleet (`--import`): on SIGUSR2 its wall clock jumps by `CHAOS_CLOCK_JUMP_MS`, and the next
 * time back again, as when an administrator or a time service sets it. Timers do not notice, as they do not on a real machine:
 * they run on the monotonic clock.
 */
const RealDate = Date;
const jumpMs = Number(process.env["CHAOS_CLOCK_JUMP_MS"]);
let shiftMs = 0;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now() + shiftMs] : given, newTarget),
  apply: () => new Date().toString(),
  get: (target, name, receiver) =>
    name === "now" ? () => RealDate.now() + shiftMs : Reflect.get(target, name, receiver),
});
process.on("SIGUSR2", () => {
  shiftMs = shiftMs === 0 ? jumpMs : 0;
});
