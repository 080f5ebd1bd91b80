// Which part may import which. The comment on each rule is what a contributor reads when it fires.
import { Visitor } from "@swc/core/Visitor.js";

// swc parses `using`, which tests write, but the visitor that the cruiser walks its syntax tree with does not know it and gives up.
const { visitStatement } = Visitor.prototype;
Visitor.prototype.visitStatement = function visitStatementOrUsing(statement) {
  if (statement.type !== "UsingDeclaration") return visitStatement.call(this, statement);
  return { ...statement, decls: this.visitVariableDeclarators(statement.decls) };
};

const HOST = "^streaming-host/src";
const FUNCTIONS = "^functions/src";
const SHARED = "^shared/src";
const KIT = "^provider-kit/src";
const LOCAL_VOICE = "^local-voice/src";
const CLIENT = "^client-kit/src";
const CONSOLE = "^console/src";
const TEST_FILE = "[.]test[.]ts$|[.]contract[.]ts$";
/** The files that wire parts together; only they may name a vendor or a database. */
const COMPOSITION_ROOT = "^functions/src/(main|compose)[.]ts$|^streaming-host/src/(main[.]ts$|compose/)|^local/";

const only = (name, from, pathNot, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: from, pathNot: TEST_FILE },
  to: { pathNot, dependencyTypesNot: ["core"] },
});
const never = (name, from, to, comment) => ({ name, comment, severity: "error", from, to });

export default {
  forbidden: [
    // ── Everywhere ──────────────────────────────────────────────────
    never("no-cycles", {}, { circular: true }, "Cycles make start-up order and tests unpredictable."),
    // Peers bring their own packages, which are installed by hand for a comparison. The command of the package finds its neighbours there.
    never(
      "no-unresolvable",
      { pathNot: "^(test/bench/peers/|local/package/voice-agents[.]cjs$)" },
      { couldNotResolve: true },
      "This import points nowhere.",
    ),
    never(
      "no-test-code-in-src",
      { path: "/src/", pathNot: TEST_FILE },
      { path: `(^test/|${TEST_FILE})` },
      "Production code never reaches into test code.",
    ),
    never(
      "nobody-imports-main",
      { pathNot: COMPOSITION_ROOT },
      { path: "^((functions|streaming-host)/src/main[.]tsx?|console/src/main[.]tsx)$" },
      "main.ts wires; nothing may depend on the wiring.",
    ),
    // ── Packages ────────────────────────────────────────────────────
    never(
      "shared-is-the-floor",
      { path: "^shared/" },
      { path: "^(provider-kit|local-voice|functions|streaming-host|local|client-kit|console)/" },
      "Apps depend on shared, never the reverse.",
    ),
    never(
      "core-knows-no-demo",
      {
        pathNot: `^demo/|^local/|^test/|/src/testing/|${TEST_FILE}|^streaming-host/src/compose/host[.]ts$|^functions/src/triggers/profiles[.]ts$`,
      },
      { path: "^demo/" },
      "The demonstration is loaded the way a user's own agents and tools are, so that nobody inherits it.",
    ),
    never(
      "demo-is-code-of-a-user",
      { path: "^demo/" },
      { path: "^(shared|provider-kit|local-voice|functions|streaming-host|local|client-kit|console)/" },
      "What the demonstration can do, a user's own code can do: it is written with the tool kit alone.",
    ),
    never(
      "provider-kit-knows-no-provider",
      { path: "^provider-kit/" },
      { path: "^(local-voice|functions|streaming-host|local|client-kit|console)/" },
      "Providers are written against the kit, also outside this repository; it knows none of them.",
    ),
    never(
      "local-voice-is-a-provider",
      { path: "^local-voice/" },
      { path: "^(functions|streaming-host|local|client-kit|console)/" },
      "The local engines implement the kit's ports like any vendor; the host that runs them is none of their business.",
    ),
    never(
      "apps-are-strangers",
      { path: "^(functions|streaming-host)/" },
      { path: "^(functions|streaming-host|local|client-kit|console)/", pathNot: "^$1/" },
      "functions and streaming-host meet only through contracts and the stores; local starts them, they never know it.",
    ),
    never(
      "shared-by-name",
      { path: "^(functions|provider-kit|local-voice|streaming-host|local|client-kit|console|test)/" },
      { path: "^shared/", dependencyTypes: ["local"], dependencyTypesNot: ["aliased-workspace"] },
      "Import @voice/shared/<path>: its exports map is its public surface.",
    ),
    // ── Inside shared ───────────────────────────────────────────────
    only(
      "contracts-import-zod-only",
      `${SHARED}/contracts/`,
      [`${SHARED}/contracts/`, "node_modules/zod/"],
      "A contract that imports behaviour is not a contract.",
    ),
    never(
      "platform-is-a-leaf",
      { path: `${SHARED}/platform/` },
      { path: "^shared/src/", pathNot: `${SHARED}/platform/` },
      "platform/ is for everyone, so it knows no one.",
    ),
    never(
      "state-ports-name-no-store",
      { path: `${SHARED}/state/ports/` },
      { path: `${SHARED}/state/(memory|redis)/` },
      "A port is written before its stores.",
    ),
    never(
      "stores-are-strangers",
      { path: `${SHARED}/state/(memory|redis)/`, pathNot: TEST_FILE },
      { path: `${SHARED}/state/(memory|redis)/`, pathNot: `${SHARED}/state/$1/` },
      "Memory and Redis share the port and its contract suite, nothing else.",
    ),
    never(
      "redis-in-one-folder",
      { pathNot: `${SHARED}/state/redis/|^test/` },
      { path: "node_modules/ioredis/" },
      "ioredis is an implementation detail of one folder.",
    ),
    never(
      "blob-storage-behind-import",
      { pathNot: `${SHARED}/recordings/blob-(container|recording-store)[.]ts$|^test/` },
      { path: "node_modules/@azure/storage-blob/" },
      "Its client is large: these files are imported with import(), and only when they are configured.",
    ),
    // ── Vendors are chosen in one place ─────────────────────────────
    never(
      "vendors-chosen-in-the-composition-root",
      {
        path: "^(functions|streaming-host)/src",
        pathNot: [COMPOSITION_ROOT, TEST_FILE, `${HOST}/(providers|testing)/`],
      },
      { path: [`${HOST}/providers/`, LOCAL_VOICE, `${SHARED}/state/(memory|redis)/`] },
      "Only the composition root names a vendor or a database; everyone else takes the port.",
    ),
    never(
      "vendors-are-strangers",
      { path: `${HOST}/providers/([^/]+)/`, pathNot: TEST_FILE },
      { path: [`${HOST}/providers/[^/]+/`, LOCAL_VOICE], pathNot: `${HOST}/providers/$1/` },
      "Share through provider-kit or platform/, not vendor to vendor.",
    ),
    never(
      "ws-at-the-edge",
      { path: "^streaming-host/src", pathNot: [`${HOST}/(server|transports|providers)/`, TEST_FILE] },
      { path: "node_modules/ws/" },
      "Sockets stop at server/, transports/ and the vendors that are sockets themselves.",
    ),
    never(
      "azure-functions-at-the-edge",
      { pathNot: `${FUNCTIONS}/(http|triggers)/|${FUNCTIONS}/main[.]ts$|^test/|^local/functions-host/` },
      { path: "node_modules/@azure/functions" },
      "The Functions SDK stops at the trigger.",
    ),
    // ── Inside the streaming host: a frame flows left to right ──────
    //    server → transports → session → pipeline → provider-kit/ports
    only(
      "audio-is-pure",
      `${KIT}/audio/`,
      [`${KIT}/audio/`, `${SHARED}/recordings/wav-header[.]ts$`, "node_modules/fft[.]js/"],
      "Functions over bytes: no sockets, no SDKs, no neighbours. A Fourier transform is arithmetic, too.",
    ),
    never(
      "transports-translate-only",
      { path: `${HOST}/transports/` },
      { path: `${HOST}/(server|session|pipeline)/` },
      "A transport turns frames into events; the session decides what they mean.",
    ),
    never(
      "transports-are-strangers",
      { path: `${HOST}/transports/([^/]+)/` },
      { path: `${HOST}/transports/[^/]+/`, pathNot: `${HOST}/transports/$1/` },
      "Share through transport.ts or audio/.",
    ),
    never(
      "session-sees-the-transport-port",
      { path: `${HOST}/session/` },
      { path: [`${HOST}/server/`, `${HOST}/transports/[^/]+/`] },
      "The session depends on transport.ts, never on one channel.",
    ),
    never(
      "pipeline-knows-no-wire",
      { path: `${HOST}/pipeline/`, pathNot: TEST_FILE },
      { path: `${HOST}/(server|transports|session)/` },
      "The pipeline hears audio and speaks audio; it has never seen a socket.",
    ),
    // ── Inside functions ────────────────────────────────────────────
    never(
      "triggers-are-strangers",
      { path: `${FUNCTIONS}/triggers/([^/]+)[.]ts$`, pathNot: TEST_FILE },
      { path: `${FUNCTIONS}/triggers/`, pathNot: `${FUNCTIONS}/triggers/$1[.]ts$` },
      "One resource per file; share through http/ or services/.",
    ),
    never(
      "http-knows-no-trigger",
      { path: `${FUNCTIONS}/http/` },
      { path: `${FUNCTIONS}/triggers/` },
      "http/ is the frame, not the picture.",
    ),
    // ── Inside the console ──────────────────────────────────────────
    never(
      "console-knows-contracts-only",
      { path: "^console/", pathNot: [TEST_FILE, `${CONSOLE}/replay/`] },
      {
        path: "^(shared|provider-kit|local-voice|streaming-host|functions|local|test)/",
        pathNot: [`${SHARED}/(contracts|platform)/`, `${KIT}/audio/`],
      },
      "A page in a browser: of the service it knows the contracts, and may use what is pure (platform, audio).",
    ),
    never(
      "client-kit-brings-nothing",
      { path: CLIENT, pathNot: [TEST_FILE, `${CLIENT}/react/`] },
      {
        path: ["^(shared|provider-kit|local-voice|streaming-host|functions|local|console|test)/", "node_modules/"],
        pathNot: [
          `${SHARED}/platform/(clock|backoff|parse-json)[.]ts$`,
          `${SHARED}/contracts/stream/join-pieces[.]ts$`,
          `${KIT}/audio/windowed-sinc[.]ts$`,
        ],
      },
      "Whoever puts an agent into a page installs this and nothing else; zod alone would double it.",
    ),
    never(
      "replay-knows-the-turn-machine",
      { path: `${CONSOLE}/replay/`, pathNot: TEST_FILE },
      {
        path: "^(shared|provider-kit|local-voice|streaming-host|functions|local|test)/",
        pathNot: [`${SHARED}/(contracts|platform)/`, "^streaming-host/src/session/flight/"],
      },
      "A record is decided again in the page; the machine is pure, and comes with it.",
    ),
    never(
      "pages-are-strangers",
      { path: `${CONSOLE}/(talk|calls|watch|replay|build|system|sign-in)/` },
      { path: `${CONSOLE}/(talk|calls|watch|replay|build|system|sign-in)/`, pathNot: `${CONSOLE}/$1/` },
      "The pages share through conversation/, components/, catalog/ and the client kit.",
    ),
    never(
      "console-logic-draws-nothing",
      { path: `${CONSOLE}/(api|catalog|conversation)/` },
      { path: [`${CONSOLE}/(talk|calls|watch|replay|build|system|sign-in|components)/`, "node_modules/react"] },
      "What the pages show is computed without a page, and so tested without one.",
    ),
    // ── Tests that span packages ────────────────────────────────────
    never(
      "test-helpers-know-no-test",
      { path: "^test/(fakes|fixtures|support)/" },
      { path: TEST_FILE },
      "A helper that imports a test runs it.",
    ),
    never(
      "tests-know-no-page",
      { path: "^test/", pathNot: "^test/(support|fakes|fixtures)/" },
      { path: `${CONSOLE}/.*[.]tsx$` },
      "The page is driven in a browser; its logic has its own tests beside it.",
    ),
    // ── The people and emulators of npm start ───────────────────────
    never(
      "people-are-strangers",
      { path: "^local/(caller|phone)/" },
      { path: "^local/(caller|phone)/", pathNot: "^local/$1/" },
      "A caller in a browser and a person at a phone share local/person, nothing else.",
    ),
    never(
      "emulators-know-no-product",
      { path: "^local/emulators/[^/]+/" },
      { path: "^(streaming-host|functions|console)/" },
      "An emulator is written from the vendor's documentation; what it shared with the product it could not find wrong.",
    ),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.base.json" },
    parser: "swc", // with TypeScript 7 and no parser the cruise is empty and passes; test/contract asserts that it is not
    tsPreCompilationDeps: true, // a type dependency is a dependency
    doNotFollow: { path: "node_modules" },
    // What is compared with in a measurement is a package of its own, installed only for that.
    exclude: { path: "^(out|test/bench/peers)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".tsx", ".js"],
    },
  },
};
