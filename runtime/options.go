package runtime

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// An Option configures the clients of this package: pass it to
// [NewStreamableHTTPClient], [NewStdioClient] or [ConnectAll].
type Option interface{ applyClient(*options) }

// A RegistryOption configures a [Registry]: pass it to [NewRegistry].
type RegistryOption interface{ applyRegistry(*registryOptions) }

// A CommonOption is an [Option] and a [RegistryOption].
type CommonOption interface {
	Option
	RegistryOption
}

// Defaults of the options.
const (
	defaultConnectTimeout = 10 * time.Second
	defaultKeepAlive      = 30 * time.Second
	defaultConcurrency    = 16
)

// options is what client options add up to.
type options struct {
	logger                *slog.Logger      // never nil
	implName, implVersion string            // "" leaves the choice to the client
	keepAlive             time.Duration     // between pings; negative: none
	connectTimeout        time.Duration     // for connecting and listing
	base                  http.RoundTripper // nil: the client's default transport
	concurrency           int               // servers that ConnectAll dials at once
	reconnect             Reconnect         // with its defaults
	callTimeout           time.Duration     // for one call; 0: none
	maxResponse           int64             // bytes
	idleTimeout           time.Duration     // 0: none
	toolChanges           func(server string, changes ToolChanges)

	redirectURL string             // of login
	login       LoginFunc          // nil: nobody is asked
	tokens      TokenStore         // nil: tokens last as long as the client
	watch       *Watch             // nil: nothing is watched
	elicit      ElicitationHandler // nil: nobody can be asked
	bearer      func(ctx context.Context, server string) (string, error)

	tracers trace.TracerProvider // nil: the global one
	meters  metric.MeterProvider // nil: the global one
}

func newOptions(opts []Option) options {
	o := options{
		logger:         slog.Default(),
		keepAlive:      defaultKeepAlive,
		connectTimeout: defaultConnectTimeout,
		concurrency:    defaultConcurrency,
		reconnect:      Reconnect{}.withDefaults(),
		maxResponse:    maxResponse,
	}
	for _, opt := range opts {
		if opt != nil {
			opt.applyClient(&o)
		}
	}
	return o
}

// timeoutFor is the time that connecting to cfg and listing its tools may take.
func (o options) timeoutFor(cfg ServerConfig) time.Duration {
	if cfg.Timeout > 0 {
		return cfg.Timeout
	}
	return o.connectTimeout
}

type clientOption func(*options)

func (f clientOption) applyClient(o *options) { f(o) }

// WithImplementation sets the name and version that clients introduce
// themselves with to servers.
func WithImplementation(name, version string) Option {
	return clientOption(func(o *options) { o.implName, o.implVersion = name, version })
}

// WithKeepAlive sets the time between pings: a connection on which three in a row are
// not answered is lost, with the calls in flight. A child is not pinged for that while
// it is at work on a call. 0 means the default of 30 s; a negative d turns pings off.
func WithKeepAlive(d time.Duration) Option {
	return clientOption(func(o *options) {
		if d == 0 {
			d = defaultKeepAlive
		}
		o.keepAlive = d
	})
}

// WithConnectTimeout sets how long connecting to one server and listing its
// tools may take, 10 s by default. ServerConfig.Timeout wins. A d of 0 or less
// means the default.
func WithConnectTimeout(d time.Duration) Option {
	return clientOption(func(o *options) {
		if d <= 0 {
			d = defaultConnectTimeout
		}
		o.connectTimeout = d
	})
}

// WithHTTPTransport sets the transport under every HTTP client, such as one with
// its own proxy or certificates. nil means the default transport.
func WithHTTPTransport(base http.RoundTripper) Option {
	return clientOption(func(o *options) { o.base = base })
}

// WithConcurrency sets how many servers [ConnectAll] dials at once, 16 by
// default. An n of 0 or less means the default.
func WithConcurrency(n int) Option {
	return clientOption(func(o *options) {
		if n <= 0 {
			n = defaultConcurrency
		}
		o.concurrency = n
	})
}

type loggerOption struct{ logger *slog.Logger }

func (l loggerOption) applyClient(o *options)           { o.logger = l.logger }
func (l loggerOption) applyRegistry(o *registryOptions) { o.logger = l.logger }

// WithLogger sets the logger, [slog.Default] by default. ConnectAll without this
// option logs to the registry's logger.
func WithLogger(logger *slog.Logger) CommonOption {
	if logger == nil {
		logger = slog.Default()
	}
	return loggerOption{logger}
}

// Collision says what [Registry.RegisterServer] does with a tool whose name
// another server has registered. Under CollideSkip and CollidePrefix calls that
// name their server, as those of generated packages do, are not affected: every
// tool stays reachable by (server, wire name).
type Collision uint8

const (
	// CollideFail refuses the whole server, with [ErrCollision]: none of its tools
	// can be called. It is the default: no tool is ever reached by a name that two
	// servers claim, and nobody overlooks that they do.
	CollideFail Collision = iota
	// CollideSkip keeps the colliding tools out of the flat namespace and lists
	// them in Status.
	CollideSkip
	// CollidePrefix registers a colliding tool as server__tool. When that name is
	// taken as well, the tool is skipped as under CollideSkip.
	CollidePrefix
)

// registryOptions is what registry options add up to.
type registryOptions struct {
	logger     *slog.Logger
	collision  Collision
	validation Validation
}

func newRegistryOptions(opts []RegistryOption) registryOptions {
	o := registryOptions{logger: slog.Default(), validation: Validation{Arguments: true}}
	for _, opt := range opts {
		if opt != nil {
			opt.applyRegistry(&o)
		}
	}
	return o
}

type registryOption func(*registryOptions)

func (f registryOption) applyRegistry(o *registryOptions) { f(o) }

// WithCollision sets the policy for tool names that several servers claim.
func WithCollision(c Collision) RegistryOption {
	return registryOption(func(o *registryOptions) { o.collision = c })
}

// WithValidation sets what calls are checked against: by default arguments only.
// ServerConfig.Validate wins for servers connected by [ConnectAll].
func WithValidation(v Validation) RegistryOption {
	return registryOption(func(o *registryOptions) { o.validation = v })
}
