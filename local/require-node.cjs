// Runs on whatever Node starts it, so that an unsupported runtime gives one clear line instead of a syntax error.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This project runs on Node 22.18 or later and found ${process.version}. ` +
      "npm installs a private copy for Linux, macOS and Windows on x64 (and arm64 on Linux and macOS): " +
      "run `npm ci` without --omit=optional, or install a newer Node.",
  );
  process.exit(1);
}
