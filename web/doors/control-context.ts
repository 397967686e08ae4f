// Gives a part of the page access to the control API: by an `Act` that reports failures to the whole page.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Act, callControl } from './control.ts';

/** Provided by the page. */
export const ActContext = createContext<Act>(callControl);

/** The page's access to the control API. */
export const useAct = (): Act => useContext(ActContext);
