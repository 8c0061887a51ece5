import { everyone } from './everyone.js';
import { holdLeaving } from './hold.js';

holdLeaving(...everyone);
