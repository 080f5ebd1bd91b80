/** The templates of rules: sentences to say, and arguments of tools. */
import { Templates } from "@voice/shared/catalog/template";
import { templateFilters } from "@voice/shared/languages/template-filters";

export const ruleTemplates = new Templates(templateFilters);
