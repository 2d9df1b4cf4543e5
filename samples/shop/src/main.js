import { Cart } from './cart.js';
import { format } from './money.js';

const cart = new Cart().add('pencil', 120, 8).add('notebook', 350, 4);
console.log(`${cart}: ${format(cart.total)}`);
