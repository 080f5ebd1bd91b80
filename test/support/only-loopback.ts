/**
 * No test asks anybody beyond this machine: what answers there differs from machine to machine, and takes the tests' data. A library that
 * does so behind our back (for an identity, for the metadata of an authority) fails the test that is running.
 */
import { isIP, Socket } from "node:net";
import { afterAll, afterEach } from "vitest";

const isLoopback = (host: string): boolean =>
  host === "localhost" ||
  host.endsWith(".localhost") ||
  (isIP(host) !== 0 && /^(127\.|::1$|::$|0\.0\.0\.0$|::ffff:127\.)/.test(host));

/** Of `connect(port, host)` and `connect({ port, host })`, which `net.connect` passes on as one list. */
function hostIn(given: readonly unknown[]): string {
  const [first, second] = given.flat();
  const host = typeof first === "object" && first !== null && "host" in first ? first.host : second;
  return typeof host === "string" ? host : "localhost";
}

const askedBeyond: string[] = [];
const { connect } = Socket.prototype;

Socket.prototype.connect = function connectWithin(this: Socket, ...given: never[]): Socket {
  const host = hostIn(given);
  // A name with a part that is too long is nobody's, and the resolver knows it by itself.
  if (isLoopback(host) || host.split(".").some(({ length }) => length > 63)) return Reflect.apply(connect, this, given);
  askedBeyond.push(host);
  return this.destroy(new Error(`a test asks ${host}, which is not this machine`));
};

afterEach(() => {
  const hosts = askedBeyond.splice(0);
  if (hosts.length > 0) throw new Error(`a test asked ${hosts.join(", ")}, and may ask this machine alone`);
});
// Each file loads this anew, in the process of the one before.
afterAll(() => {
  Socket.prototype.connect = connect;
});
