/** What the service is made of, for operators. */
import { routeNow } from "@voice/shared/catalog/conversation-routes";
import { describeParts } from "@voice/shared/config/describe-parts";
import { describeSettings } from "@voice/shared/config/describe-settings";
import { apiVersion } from "@voice/shared/contracts/http/endpoint";
import { getSystem, auditList } from "@voice/shared/contracts/http/system";
import { commit } from "@voice/shared/platform/build";
import { answer, type Route } from "../http/route.ts";
import { hostView, routeView, settingView } from "../services/system-view.ts";

export const systemRoutes: readonly Route[] = [
  answer(getSystem)(async (_input, { releases, clock, settings, state }) => ({
    version: apiVersion,
    commit: await commit(),
    parts: describeParts(settings).map((part) => ({ ...part })),
    hosts: (await state.hosts.list()).map(hostView),
    routes: (await releases.deployed()).catalog.routes.map((one) =>
      routeView(routeNow(one, { wallMs: clock.wallNow(), timeZone: settings.timeZone })),
    ),
    settings: describeSettings(settings).map(settingView),
  })),

  answer(auditList)(async ({ query: { subject, about, before, limit } }, { state }) => {
    const beforeMs = before === undefined ? undefined : Date.parse(before);
    const records = await state.audit.list({ subject, about, beforeMs, limit });
    return {
      records: records.map((record) => ({
        timestamp: new Date(record.atMs).toISOString(),
        subject: record.subject ?? null,
        action: record.action,
        what: record.what,
        outcome: record.outcome,
        status_code: record.status,
        from: record.from ?? null,
        request_id: record.requestId ?? null,
      })),
    };
  }),
];
