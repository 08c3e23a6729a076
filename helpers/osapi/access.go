package osapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/opensearch-project/opensearch-go/v2"
	"github.com/opensearch-project/opensearch-go/v2/signer"
	"github.com/opensearch-project/opensearch-go/v2/signer/awsv2"
)

// Access is how a cluster is reached. Only URL is needed: a stack of streamgate's own asks
// for nothing else.
type Access struct {
	// URL is the cluster's address, such as "https://search.example.org:9200".
	URL string
	// User and Password are sent with each request (basic auth); none when User is empty.
	User, Password string
	// CA are certificates in PEM form that the server's must lead to; nil for the system's.
	CA []byte
	// Sign, when set, signs each request for AWS instead.
	Sign *Signature
	// Wrap, when set, puts something around what sends the requests: it sees each of them, and
	// can refuse to send it.
	Wrap func(http.RoundTripper) http.RoundTripper
}

// Signature is what AWS wants requests to be signed with (Signature Version 4).
type Signature struct {
	Region, Service string // "eu-central-1", "es"
	// AccessKey, SecretKey and Token are credentials; Token is empty for lasting ones.
	AccessKey, SecretKey, Token string
}

// Client is a client that never repeats a request: an error must be seen, not hidden in a time.
func (a Access) Client() (*Client, error) {
	return a.client(opensearch.Config{DisableRetry: true})
}

// Loader is a client for loading documents, which repeats what the cluster refuses because
// it is busy: 429 is back-pressure, which opensearch-go v2.3.0 does not repeat by itself.
// Only for requests that may be sent twice, such as indexing under a given id.
func (a Access) Loader() (*Client, error) {
	return a.client(opensearch.Config{
		RetryOnStatus: []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable},
		MaxRetries:    loadRetries,
		RetryBackoff: func(attempt int) time.Duration {
			return min(time.Duration(attempt)*100*time.Millisecond, 2*time.Second)
		},
	})
}

// loadRetries with the pauses above is about a minute of refusals.
const loadRetries = 40

func (a Access) client(config opensearch.Config) (*Client, error) {
	var err error
	config.Addresses = []string{a.URL}
	if config.Transport, err = a.transport(config.DisableRetry); err != nil {
		return nil, fmt.Errorf("make a client for %s: %w", a.URL, err)
	}
	if a.Sign == nil {
		config.Username, config.Password = a.User, a.Password
	}
	client, err := opensearch.NewClient(config)
	if err != nil {
		return nil, fmt.Errorf("make a client for %s: %w", a.URL, err)
	}
	return &Client{client}, nil
}

// transport is Go's own, with the access's certificates, below what signs and what is wrapped
// around it.
func (a Access) transport(neverRepeat bool) (http.RoundTripper, error) {
	transport := http.DefaultTransport
	if a.CA != nil {
		trusted := x509.NewCertPool()
		if !trusted.AppendCertsFromPEM(a.CA) {
			return nil, errors.New("read the CA file: it holds no certificate in PEM form")
		}
		own, ok := http.DefaultTransport.(*http.Transport)
		if !ok {
			return nil, fmt.Errorf("trust the CA file: the default transport is a %T", http.DefaultTransport)
		}
		own = own.Clone()
		own.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
		transport = own
	}
	if neverRepeat {
		transport = once{transport}
	}
	if a.Sign != nil {
		signer, err := awsv2.NewSignerWithService(a.Sign.config(), a.Sign.Service)
		if err != nil {
			return nil, err
		}
		transport = signed{transport, signer}
	}
	if a.Wrap != nil {
		transport = a.Wrap(transport)
	}
	return transport, nil
}

// once keeps opensearch-go from repeating a request whose connection the node dropped:
// v2.3.0 does that when it sees a bare io.EOF, whatever DisableRetry says.
type once struct{ http.RoundTripper }

// RoundTrip wraps the error.
func (o once) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := o.RoundTripper.RoundTrip(request)
	if err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	return response, nil
}

// signed signs each request as it is sent. opensearch-go v2.3.0 can do that by itself, but
// signs a repeated request before it has put its body back: AWS would refuse it.
type signed struct {
	http.RoundTripper
	signer signer.Signer
}

// RoundTrip signs and sends.
func (s signed) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	if err := s.signer.SignRequest(request); err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	return s.RoundTripper.RoundTrip(request)
}

// config is the signature as AWS' library wants it; the credentials are given, so nothing
// is looked up.
func (s Signature) config() aws.Config {
	given := aws.Credentials{AccessKeyID: s.AccessKey, SecretAccessKey: s.SecretKey, SessionToken: s.Token}
	return aws.Config{
		Region:      s.Region,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return given, nil }),
	}
}
