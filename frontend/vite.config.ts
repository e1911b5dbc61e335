import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  // The window's own webview is the only browser: Safari 15.4 is the oldest WebKitGTK that Wails accepts in practice.
  build: { target: 'safari15.4', modulePreload: { polyfill: false } },
  test: { include: ['src/**/*.test.ts'] },
});
