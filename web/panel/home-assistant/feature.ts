// What MQTT brings to the pages.
import { message } from '../../../src/domain/language/message.ts';
import type { FeaturePage } from '../parts/feature-page.ts';
import { laterPage } from '../parts/later.tsx';

declare module '../state/views.ts' {
  interface FeatureViews {
    readonly mqtt: true;
  }
}

export const HOME_ASSISTANT: FeaturePage = {
  name: 'home-assistant',
  tab: {
    view: 'mqtt',
    after: 'webhooks',
    title: message('MQTT'),
    needed: 'mqtt.status',
    isThere: (state) => (state['mqtt.status']?.broker ?? null) !== null,
    Page: laterPage(async () => (await import('./mqtt-page.tsx')).MqttPage),
  },
};
