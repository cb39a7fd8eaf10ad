import { applies, type Given, type Option, optionsOf } from "ratewise/options";

/** The options that the form asks for, given what was chosen: every one of the command that has a label and applies. */
export function formOptions(given: Given, data: string): readonly Option[] {
  return optionsOf("explain").filter(
    (option) => typeof option.page === "string" && applies(option, given, data),
  );
}
