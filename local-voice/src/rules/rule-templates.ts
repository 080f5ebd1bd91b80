/** The templates of rules: sentences to say, and arguments of tools. */
import { Templates } from "@voice/shared/catalog/template";
import { templateFilters } from "../spoken-english/template-filters.ts";

export const ruleTemplates = new Templates(templateFilters);
