// The address of a panel: the bound interface, the hosts that open it, and the redirect URIs that lead to it.
import { describe, expect, it } from 'vitest';
import { dashboardPlace, leadsToDashboard } from '../../../../src/panel/http/place.ts';

const machine = { hostname: 'Hallway.lan', addresses: ['192.168.1.20', 'fd00::20'] };

describe('the place of a panel', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1', true, ['127.0.0.1']],
    ['localhost', '127.0.0.1', true, ['localhost']],
    ['::1', '::1', true, ['[::1]']],
    ['127.0.0.9', '127.0.0.9', true, ['127.0.0.9']],
    ['192.168.1.20', '192.168.1.20', false, ['192.168.1.20']],
    ['fd00::20', 'fd00::20', false, ['[fd00::20]']],
    ['Pages.lan', 'pages.lan', false, ['pages.lan']],
    ['127.0.0.1.example', '127.0.0.1.example', false, ['127.0.0.1.example']],
    ['0.0.0.0', '0.0.0.0', false, ['192.168.1.20', '[fd00::20]', 'hallway.local', 'hallway', 'hallway.lan']],
  ])('on %s listens at %s, needs no login: %s, and is opened at %j', (host, bindHost, isLoopback, openAt) => {
    expect(dashboardPlace(host, machine)).toMatchObject({ bindHost, isLoopback, openAt });
  });

  it('of a machine without a name or a reachable address is opened on the machine itself', () => {
    const place = dashboardPlace('::', { hostname: '', addresses: [] });
    expect(place).toMatchObject({ bindHost: '::', isLoopback: false, openAt: ['localhost'] });
  });
});

describe('a redirect URI', () => {
  const place = dashboardPlace('127.0.0.1', machine);

  it.each([
    ['http://127.0.0.1:18582/callback', true],
    ['http://localhost:18582/callback', true],
    ['http://127.0.0.1:18582/a/b:c', true],
    ['http://127.0.0.1:18581/callback', false],
    ['http://127.0.0.1/callback', false],
    ['https://127.0.0.1:18582/callback', false],
    ['http://hallway.local:18582/callback', false],
    ['http://127.0.0.1:18582/', false],
    ['http://127.0.0.1:18582/api/session', false],
    ['http://127.0.0.1:18582/panel.js', false],
    ['http://127.0.0.1:18582/call*back', true],
  ])('%s leads to the panel: %s', (redirectUri, leads) => {
    expect(leadsToDashboard(redirectUri, place, 18_582)).toBe(leads);
  });
});

describe('a redirect URI to a panel with a front', () => {
  it.each([
    [{ origin: 'https://locks.example' }, 'https://locks.example/callback', true],
    [{ origin: 'https://locks.example' }, 'http://127.0.0.1:18582/callback', true],
    [{ origin: 'https://locks.example' }, 'https://other.example/callback', false],
    [{ origin: 'https://locks.example' }, 'https://locks.example/api/session', false],
    [{ isEncrypted: true }, 'https://127.0.0.1:18582/callback', true],
    [{ isEncrypted: true }, 'http://127.0.0.1:18582/callback', false],
  ])('%j: %s leads there: %s', (front, redirectUri, leads) => {
    expect(leadsToDashboard(redirectUri, dashboardPlace('127.0.0.1', machine, front), 18_582)).toBe(leads);
  });
});
