/** Of the script's text, for the content security policy; a test recomputes it. */
export const pageScriptHash: string = "sha256-HEqMDXrdOMmuGNEMguo+FL5YZa9/2fRmWZ+RLTzXQl4=";
