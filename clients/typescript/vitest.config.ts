import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "@autobattle/client/node": at("sdk/src/node.ts"),
      "@autobattle/client/web": at("sdk/src/web.ts"),
      "@autobattle/client": at("sdk/src/index.ts"),
      "@autobattle/plugin": at("plugin/src/index.ts"),
      "@autobattle/flying-squid": at("flying-squid/src/index.ts"),
    },
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    projects: [
      { extends: true, test: { name: "sdk", include: ["sdk/test/*.test.ts"] } },
      { extends: true, test: { name: "plugin", include: ["plugin/test/*.test.ts"] } },
      { extends: true, test: { name: "minecraft", include: ["flying-squid/test/*.test.ts"] } },
    ],
  },
});
