import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  // The window's own webview is the only browser: Safari 15.4 is the oldest WebKitGTK that Wails accepts in practice.
  build: {
    target: 'safari15.4',
    modulePreload: { polyfill: false },
    // Svelte makes an error as it starts. V8 compiles the whole file again for its stack, so that file is Svelte's own.
    rollupOptions: {
      output: {
        manualChunks: (id) => (/\/node_modules\/(svelte|esm-env|clsx)\//.test(id) ? 'svelte' : undefined),
      },
    },
  },
  // A test measures the colours of app.css; no other style is looked at.
  test: { include: ['src/**/*.test.ts'], css: { include: /app\.css/ } },
});
