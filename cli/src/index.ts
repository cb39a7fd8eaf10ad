export * from "@ratewise/core";
