// Planted: a package of which only types may be imported, loaded at run time.
import { APIEvent } from 'homebridge';

export const event = APIEvent.SHUTDOWN;
