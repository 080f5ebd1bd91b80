/** Languages and time zones in the catalog's files: what looks like one and is none would only be noticed by a caller. */
import { z } from "zod";
import { isKnownLanguage, noSuchLanguage } from "../languages/language-tag.ts";
import { isTimeZone } from "../platform/local-day.ts";

export const noSuchTimeZone = "there is no such time zone; Europe/Berlin and UTC are such";

const form = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-(?:[A-Z]{2}|\d{3}))?$/;

export const knownLanguage = z
  .string()
  .regex(form, { error: "expected a language tag such as en-US", abort: true })
  .refine(isKnownLanguage, noSuchLanguage);

export const knownTimeZone = z.string().refine(isTimeZone, noSuchTimeZone);
