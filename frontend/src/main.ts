import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { I18n } from './lib/i18n/index.svelte';
import { Settings } from './lib/state/settings.svelte';
import { windowOf } from './lib/state/window';

const settings = new Settings(localStorage, navigator.language);
void I18n.speaking(settings.language, settings.digits).then((i18n) =>
  mount(App, { target: document.getElementById('app')!, props: { stores: windowOf(settings, i18n) } }),
);
