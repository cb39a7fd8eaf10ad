/** Of the script's text, for the content security policy; a test recomputes it. */
export const pageScriptHash: string = "sha256-We9AYJBbpJPCjYaf0Pdkmq7hAQTGIekxS8zhsE0GNEw=";
