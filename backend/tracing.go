package backend

import (
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"fanous/network"
)

// exportTimeout bounds one sending of traces, and how long Close waits for the last.
const exportTimeout = 2 * time.Second

// tracing tells an OpenTelemetry provider of searches. The zero value tells nobody.
type tracing struct {
	tracer trace.Tracer
	sends  bool   // over the network, so that an offline search is not told
	close  func() // waits for what is on its way; nil: there is nothing
}

// newTracing uses the provider that is passed in, else one that sends to the configured address, else none.
func newTracing(ctx context.Context, cfg Config, n *network.Network) (tracing, error) {
	const name = "fanous"
	if cfg.Tracing != nil {
		return tracing{tracer: cfg.Tracing.Tracer(name)}, nil
	}
	if cfg.OTLPEndpoint == "" || cfg.Offline {
		return tracing{}, nil
	}
	client := n.Client(nil)
	client.Timeout = exportTimeout
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(cfg.OTLPEndpoint), otlptracehttp.WithHTTPClient(client),
		otlptracehttp.WithTimeout(exportTimeout), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{}))
	if err != nil {
		return tracing{}, fmt.Errorf("otlp_endpoint: %w", err)
	}
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(quiet{exporter}, sdk.WithExportTimeout(exportTimeout)),
		sdk.WithSampler(sdk.AlwaysSample()),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", name), attribute.String("service.version", Version))),
	)
	return tracing{tracer: provider.Tracer(name), sends: true, close: func() {
		ctx, cancel := context.WithTimeout(context.Background(), exportTimeout)
		defer cancel()
		_ = provider.Shutdown(ctx) // traces that cannot be sent are nobody's error
	}}, nil
}

// quiet keeps an exporter's failures from the log of the whole process: without a network there is one after
// each search.
type quiet struct{ sdk.SpanExporter }

func (q quiet) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	_ = q.SpanExporter.ExportSpans(ctx, spans)
	return nil
}
