// Puts the page into the document and keeps it current with the simulator's stream.
import { render } from 'preact';
import { DoorsPage } from './doors-page.tsx';
import { watchHouse } from './house-stream.ts';

watchHouse((news) => {
  render(<DoorsPage news={news} />, document.body);
});
