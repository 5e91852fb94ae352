/**
 * Maps logarithmic bands to the number of points drawn.
 *
 * Each point covers its share of the bands. The loudest one has more weight than their mean, or a single note would vanish among
 * few points.
 */
export class PointBinning {
    #edges;

    /** @param {number} bandCount @param {number} pointCount */
    constructor(bandCount, pointCount) {
        this.bandCount = bandCount;
        this.pointCount = pointCount;
        this.#edges = new Float64Array(pointCount + 1);
        for (let point = 0; point <= pointCount; point++) this.#edges[point] = point * bandCount / pointCount;
    }

    /**
     * @param {Float32Array} bands
     * @param {Float32Array} points output
     */
    apply(bands, points) {
        const edges = this.#edges;
        const last = this.bandCount - 1;
        for (let point = 0; point < this.pointCount; point++) {
            const from = edges[point];
            const to = edges[point + 1];
            const first = Math.floor(from);
            const end = Math.min(Math.ceil(to) - 1, last);
            let loudest = 0;
            let sum = 0;
            for (let band = first; band <= end; band++) {
                const share = Math.min(to, band + 1) - Math.max(from, band);
                const level = bands[band];
                sum += level * share;
                // A band that is mostly outside of the point's share has less weight.
                const part = share < 1 ? level * Math.min(1, share * 2) : level;
                if (part > loudest) loudest = part;
            }
            points[point] = 0.6 * loudest + 0.4 * sum / (to - from);
        }
    }
}
