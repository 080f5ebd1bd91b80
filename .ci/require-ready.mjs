/**
 * `node .ci/require-ready.mjs BASE_URL [tries] [seconds between them]`: the last step of a deployment. It ends well once the service reports
 * `ready`. `degraded` is not enough, although it is answered with 200: calls that cannot be placed, or recordings that cannot be
 * written, were part of what was deployed. Otherwise it says what is wrong, and fails.
 */
const [baseUrl, tries = "20", seconds = "15"] = process.argv.slice(2);

async function ask() {
  try {
    const answer = await fetch(`${baseUrl}/api/v1/readiness`, { signal: AbortSignal.timeout(30_000) });
    const { status, checks } = await answer.json();
    if (status === "ready") return undefined;
    const failed = checks.filter((check) => check.status !== "healthy");
    return failed.map(({ component, error }) => `${component}: ${error}`).join("\n") || `it reports: ${status}`;
  } catch (error) {
    return `no readable answer (${error.message})`;
  }
}

let problem;
for (let left = Number(tries); left > 0; left -= 1) {
  problem = await ask();
  if (problem === undefined) break;
  if (left > 1) await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
}
if (problem === undefined) console.log("the service is ready");
else console.error(`the service is not ready:\n${problem}`);
process.exitCode = problem === undefined ? 0 : 1;
