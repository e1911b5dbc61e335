import type { Component } from 'svelte';
import type { Screen } from '../lib/state/navigation.svelte';
import CollectionsScreen from './collections/CollectionsScreen.svelte';
import LedgerScreen from './ledger/LedgerScreen.svelte';
import ModelsScreen from './models/ModelsScreen.svelte';
import SettingsScreen from './settings/SettingsScreen.svelte';

/** The components of all screens but searching, which stays alive behind the others. Each is a `Screen.svelte`. */
export const screenOf: Record<Exclude<Screen, 'search'>, Component> = {
  collections: CollectionsScreen,
  models: ModelsScreen,
  ledger: LedgerScreen,
  settings: SettingsScreen,
};
