#!/usr/bin/env node
// Says what the installed packages take on disk, and fails where they have grown past what everybody who installs is to bear.
// Of a package that only development wants, the lock file says so: the rest is what `npm ci --omit=dev` installs.
import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const limitsMb = { "npm ci": 625, "npm ci --omit=dev": 360 };
const root = fileURLToPath(new URL("..", import.meta.url));

/** In bytes of whole blocks, as `du` counts, without what belongs to another package. */
function sizeOf(folder) {
  let size = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) size += (lstatSync(path).blocks ?? 0) * 512;
    else if (entry.name !== "node_modules") size += 4096 + sizeOf(path);
  }
  return size;
}

const { packages } = JSON.parse(readFileSync(join(root, "node_modules/.package-lock.json"), "utf8"));
const sizes = { "npm ci": 0, "npm ci --omit=dev": 0 };
for (const [name, { link, dev, devOptional }] of Object.entries(packages)) {
  if (link === true || !name.includes("node_modules/")) continue;
  const size = sizeOf(join(root, name));
  sizes["npm ci"] += size;
  if (dev !== true && devOptional !== true) sizes["npm ci --omit=dev"] += size;
}

for (const [command, bytes] of Object.entries(sizes)) {
  const size = Math.round(bytes / 2 ** 20);
  console.log(`${command} installs ${size} MB (at most ${limitsMb[command]})`);
  if (size > limitsMb[command]) process.exitCode = 1;
}
