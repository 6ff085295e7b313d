package server

import "github.com/prometheus/client_golang/prometheus"

// metrics are what operators watch.
type metrics struct {
	calls    *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	refused  *prometheus.CounterVec
	rebuilt  prometheus.Counter
	watches  prometheus.Gauge
	panicked prometheus.Counter
}

// newMetrics makes the metrics and registers them.
func newMetrics(reg prometheus.Registerer) *metrics {
	m := &metrics{
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "autobattle_calls_total", Help: "Calls answered, by method and gRPC code."}, []string{"method", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "autobattle_call_seconds", Help: "Time to answer a unary call, by method.", Buckets: prometheus.ExponentialBuckets(0.0001, 2.5, 12)}, []string{"method"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "autobattle_refusals_total", Help: "Commands refused, by reason."}, []string{"reason"}),
		rebuilt: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "autobattle_snapshots_rebuilt_total", Help: "Snapshots that could not be used; the battle was rebuilt from its log."}),
		watches: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "autobattle_watches", Help: "Viewers that follow a battle now."}),
		panicked: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "autobattle_panics_total", Help: "Calls that panicked. Each is a defect."}),
	}
	reg.MustRegister(m.calls, m.seconds, m.refused, m.rebuilt, m.watches, m.panicked)
	return m
}
