/** The client of the document store. Large, and used by few requests: imported at the first of them, where it is configured. */
export { createCosmosArchive } from "@voice/shared/archive/cosmos-archive";
