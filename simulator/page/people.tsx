// The users of the service and which apps they have connected; how a connection ends.
import type { VNode } from 'preact';
import type { Snapshot } from '../src/control/snapshot.ts';
import { useAct } from './control.ts';
import { Button, Part } from './pieces.tsx';

export function People({ users, clients }: Pick<Snapshot, 'users' | 'clients'>): VNode {
  const nameOf = (wanted: string): string =>
    clients.find(({ clientId }) => clientId === wanted)?.name ?? wanted;
  const connected = users.filter(({ linkedClients }) => linkedClients.length > 0).length;
  return (
    <Part title="People" note={connected === 0 ? '' : `${String(connected)} connected`}>
      {() => (
        <ul class="plain">
          {users.map((user) => (
            <Person key={user.userId} user={user} nameOf={nameOf} />
          ))}
        </ul>
      )}
    </Part>
  );
}

function Person({
  user: { userId, friendlyName, linkedClients },
  nameOf,
}: {
  readonly user: Snapshot['users'][number];
  readonly nameOf: (clientId: string) => string;
}): VNode {
  const act = useAct();
  return (
    <li class="person">
      <span>
        <strong>{friendlyName}</strong>{' '}
        {linkedClients.length === 0
          ? 'has no connected apps'
          : `has connected ${linkedClients.map(nameOf).join(', ')}`}
      </span>
      <span class="row">
        {linkedClients.map((clientId) => (
          <Button
            key={clientId}
            of={friendlyName}
            onPress={() => void act('house/revoke', { userId, clientId })}
          >
            {`Revoke ${nameOf(clientId)}`}
          </Button>
        ))}
        <Button of={friendlyName} onPress={() => void act('house/sign-out-everywhere', { userId })}>
          Sign out everywhere
        </Button>
      </span>
    </li>
  );
}
