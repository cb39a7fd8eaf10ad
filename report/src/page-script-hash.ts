/** Of the script's text, for the content security policy; a test recomputes it. */
export const pageScriptHash: string = "sha256-Qrih/kKHfNqbrXLnFJU4xFQbUi4ivq5DCWPlLVBifIs=";
