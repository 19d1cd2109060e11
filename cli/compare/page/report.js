'use strict';

// Headings sort their table: a first click by the worst, names by the alphabet; a second the other way.
function valueOf(row, column)
{
    const cell = row.cells[column];
    return cell.dataset.v !== undefined ? Number(cell.dataset.v) : null;
}

function compare(a, b, column, sign)
{
    const x = valueOf(a, column), y = valueOf(b, column);
    if (x !== null && y !== null)
    {
        return sign * (x - y);
    }
    // Cells without a number come last.
    return x !== null ? -1 : y !== null ? 1
         : sign * a.cells[column].textContent.localeCompare(b.cells[column].textContent, 'en', { numeric: true });
}

function sortBy(heading)
{
    const table = heading.closest('table'), body = table.tBodies[0];
    const isNumber = heading.classList.contains('n');
    const first = isNumber ? 'descending' : 'ascending', second = isNumber ? 'ascending' : 'descending';
    const order = heading.getAttribute('aria-sort') === first ? second : first;
    const sign = order === 'ascending' ? 1 : -1;
    const rows = [...body.rows].sort((a, b) => compare(a, b, heading.cellIndex, sign));
    table.querySelectorAll('thead th').forEach((th) => th.removeAttribute('aria-sort'));
    heading.setAttribute('aria-sort', order);
    body.append(...rows);
}

document.querySelectorAll('thead button').forEach((button) =>
    button.addEventListener('click', () => sortBy(button.closest('th'))));

// Paper has no folds.
let folded = [];
window.addEventListener('beforeprint', () =>
{
    folded = [...document.querySelectorAll('details:not([open])')];
    folded.forEach((details) => { details.open = true; });
});
window.addEventListener('afterprint', () => folded.forEach((details) => { details.open = false; }));
