// Puts the page into the document.
import { render } from 'preact';
import { DoorsPage } from './doors-page.tsx';

render(<DoorsPage />, document.body);
