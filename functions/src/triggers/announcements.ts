/** The audio of announcements, which the communication service fetches to play to a call. */
import { getAnnouncement } from "@voice/shared/contracts/http/announcements";
import { BadRequestError } from "@voice/shared/platform/errors";
import { route, type Route } from "../http/route.ts";

export const announcementRoutes: readonly Route[] = [
  route(getAnnouncement)(async ({ params }, { state }) => {
    const bytes = await state.announcements.get(params.name);
    if (bytes === undefined) throw new BadRequestError("not_found", "There is no such announcement.");
    return { status: 200, headers: { "content-length": String(bytes.byteLength) }, bytes };
  }),
];
