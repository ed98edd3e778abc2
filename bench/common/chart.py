"""Line charts as SVG, for the scripts of bench/."""
import math


def chart(path, title, x_title, y_title, series):
    """Lines over whole numbers, the y axis logarithmic, as SVG."""
    width, height, left, low = 560, 360, 70, 310
    points = [(x, y) for _, line in series for x, y in line]
    xs, ys = [x for x, _ in points], [math.log10(max(y, 1e-3)) for _, y in points]
    y0, y1 = math.floor(min(ys)), max(math.ceil(max(ys)), math.floor(min(ys)) + 1)
    at = lambda x, y: (left + (x - min(xs)) / max(1, max(xs) - min(xs)) * (width - left - 150),
                       low - (math.log10(max(y, 1e-3)) - y0) / (y1 - y0) * (low - 40))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
           f'<text x="{left}" y="20" font-size="14">{title}</text>']
    for e in range(y0, y1 + 1):
        y = at(min(xs), 10.0 ** e)[1]
        out.append(f'<line x1="{left}" y1="{y:.1f}" x2="{width - 150}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0 ** e:g}</text>')
    for x in sorted(set(xs)):
        out.append(f'<text x="{at(x, 1)[0]:.1f}" y="{low + 18}" text-anchor="middle">{x}</text>')
    out.append(f'<text x="{(left + width - 150) / 2}" y="{low + 38}" text-anchor="middle">{x_title}</text>')
    out.append(f'<text x="16" y="{low / 2 + 20}" transform="rotate(-90 16 {low / 2 + 20})" text-anchor="middle">{y_title}</text>')
    for i, (name, line) in enumerate(series):
        colour = ["#b2182b", "#2166ac", "#1b7837", "#762a83"][i % 4]
        path_points = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y in line)
        out.append(f'<polyline points="{path_points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += ['<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="{}"/>'.format(*at(x, y), colour) for x, y in line]
        if line:
            x, y = at(*line[-1])
            out.append(f'<text x="{x + 8:.1f}" y="{y + 4 - 12 * (i % 2):.1f}" fill="{colour}">{name}</text>')
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(out + ["</svg>\n"]))
